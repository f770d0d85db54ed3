; Between the roots of two polynomials, and beyond all roots.
(declare-fun a () Real)
(assert (= a 2.0))
(assert (exists ((x Real)) (and (> (* x x) a) (< (* x x x) 3.0) (> x 0.0))))
(assert (forall ((x Real)) (or (<= (* x x) a) (> x 1.4) (< x (- 1.4)))))
; expect: sat
(check-sat)
(assert (exists ((x Real)) (and (> (* x x) a) (< (* x x) 2.0))))
; expect: unsat
(check-sat)
