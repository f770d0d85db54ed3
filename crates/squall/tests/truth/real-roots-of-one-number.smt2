; The two equations have a common root, which is another value in each of them.
(declare-fun x () Real)
(declare-fun y () Real)
(assert (= (* x x) 2.0))
(assert (= (* y y y y) 4.0))
(assert (> (* x y) 0.0))
(assert (distinct x y))
; expect: unsat
(check-sat)
