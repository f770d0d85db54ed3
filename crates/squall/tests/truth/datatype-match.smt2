(declare-datatype O ((none) (some (value Int))))
(declare-const x O)
(assert (= (match x ((none 0) ((some n) (+ n 1)))) 5))
; expect: sat
(check-sat)
(assert (distinct x (some 4)))
; expect: unsat
(check-sat)
