(declare-datatype E ((r) (g) (b)))
(declare-const x E)
(assert (match x ((r false) (y (= y g)))))
; expect: sat
(check-sat)
(assert (= x b))
; expect: unsat
(check-sat)
