; For each number there is a greater square, but no square is greater than all.
(assert (forall ((x Real)) (exists ((y Real)) (> (* y y) x))))
; expect: sat
(check-sat)
(assert (exists ((y Real)) (forall ((x Real)) (> (* y y) x))))
; expect: unsat
(check-sat)
