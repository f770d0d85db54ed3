; The line touches the circle where both coordinates are the root of 2.
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 4.0))
(assert (= (* x y) 2.0))
; expect: sat
(check-sat)
(assert (> (+ x y) 3.0))
; expect: unsat
(check-sat)
