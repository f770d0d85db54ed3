(assert (exists ((y Int)) (forall ((x Int)) (<= x y))))
; expect: unsat
(check-sat)
