; Powers that are zero make a polynomial vanish; the only witnesses are irrational.
(declare-const a Real)
(declare-const b Real)
(declare-const x Real)
(declare-const z Real)
(assert (= (* a a a) 0.0))
(assert (= (* b b b) 0.0))
(assert (= (* 5.0 x x x x) (+ 1.0 (* b z) (* a z z))))
; expect: sat
(check-sat)
