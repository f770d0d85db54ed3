; The least upper bound of numbers whose square is two.
(declare-fun a () Real)
(assert (>= a 1.0))
(assert (forall ((e Real)) (=> (> e 0.0) (exists ((x Real)) (and (= (* x x) 2.0) (> x (- a e)))))))
; expect: sat
(check-sat)
(assert (> (* a a) 2.0))
; expect: unsat
(check-sat)
