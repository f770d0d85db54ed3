; A number between two ends decides the quantifier only while the ends keep their order.
(declare-fun a () Real)
(assert (forall ((e Real)) (or (<= e (- 5.0)) (>= (* e e e) (* a a a)))))
; expect: sat
(check-sat)
(assert (forall ((x Real)) (exists ((e Real)) (and (< (* e e e) (* x x x)) (> (* 0.001 e) (- 1.0))))))
; expect: unsat
(check-sat)
