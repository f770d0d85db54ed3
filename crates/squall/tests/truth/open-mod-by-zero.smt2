(declare-const x Int)
(assert (= x 5))
(push 1)
(assert (= (mod x 0) 2))
; expect: sat
(check-sat)
(pop 1)
(assert (distinct (mod x 0) (mod 5 0)))
; expect: unsat
(check-sat)
