; The same quantified formula occurs at the top and below another quantifier.
(declare-fun a () Real)
(assert (or (exists ((x Real)) (< (* x x x) a)) (forall ((y Real)) (and (exists ((x Real)) (< (* x x x) a)) (> (* y y) a)))))
(assert (forall ((y Real)) (or (< y a) (exists ((x Real)) (and (< (* x x) a) (< a y))) (exists ((x Real)) (and (= (* x x) y) (>= y a))))))
; expect: sat
(check-sat)
(assert (forall ((y Real)) (exists ((x Real)) (and (< (* x x) a) (< a y)))))
; expect: unsat
(check-sat)
