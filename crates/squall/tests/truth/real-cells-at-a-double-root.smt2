; The square is zero only at the double root, which no open cell shows.
(declare-fun a () Real)
(assert (= a 0.5))
(assert (not (forall ((x Real)) (> (+ (* x x) (- x) (* a a)) 0.0))))
(assert (forall ((x Real)) (>= (+ (* x x) (- x) (* a a)) 0.0)))
(assert (exists ((x Real)) (= (- x (* x x)) (* a a))))
; expect: sat
(check-sat)
(assert (exists ((x Real)) (and (distinct x a) (<= (* (- x a) (- x a)) 0.0))))
; expect: unsat
(check-sat)
