; The inner variable has the outer one's name, and only the outer one is compared with a.
(declare-fun a () Real)
(assert (= a 1.0))
(assert (exists ((x Real)) (and (> x a) (exists ((x Real)) (< x a)) (forall ((x Real)) (>= (* x x) 0.0)))))
; expect: sat
(check-sat)
(assert (exists ((x Real)) (and (forall ((x Real)) (> (* x x) a)) (> x a))))
; expect: unsat
(check-sat)
