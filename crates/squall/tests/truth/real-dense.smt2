(declare-const x Real)
(declare-const y Real)
(assert (< x y (+ x 1.0)))
; expect: sat
(check-sat)
