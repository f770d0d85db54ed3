; A quantifier over the roots of an equation.
(declare-fun x () Real)
(assert (forall ((z Real)) (=> (= (* z z z) (* 2.0 z)) (or (= z 0.0) (= z x) (= z (- x))))))
(assert (= (* x x) 2.0))
(assert (not (exists ((z Real)) (and (= (* z z) 3.0) (< z x (- x))))))
; expect: sat
(check-sat)
