; Polynomials that are zero over a whole line or point: x z - y, and a product of two of them.
(declare-fun x () Real)
(declare-fun y () Real)
(declare-fun z () Real)
(declare-fun w () Real)
(assert (= (* x z) (* y w)))
(assert (= (* x x) (* y y y)))
(assert (= (+ (* x x) (* y y)) 0.0))
(assert (> (+ (* z z) w) 5.0))
; expect: sat
(check-sat)
(assert (distinct (* x w z) (* y z z z)))
; expect: unsat
(check-sat)
