(assert (forall ((x Int)) (>= x 0)))
; expect: unsat
(check-sat)
