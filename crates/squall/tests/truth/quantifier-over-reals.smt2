(assert (forall ((x Real) (y Real)) (=> (< x y) (exists ((z Real)) (< x z y)))))
; expect: sat
(check-sat)
(assert (exists ((x Real)) (forall ((y Real)) (<= x y))))
; expect: unsat
(check-sat)
