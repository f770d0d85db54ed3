(declare-datatypes ((A 0) (B 0)) (((a (get Int))) ((b (get Int)))))
(declare-const x A)
(declare-const y B)
(assert (distinct (get x) (get y)))
; expect: sat
(check-sat)
(assert (= x (a 1)))
(assert (= y (b 1)))
; expect: unsat
(check-sat)
