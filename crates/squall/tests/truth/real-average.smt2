(declare-const x Real)
(declare-const y Real)
(assert (< x y))
(assert (<= y (/ (+ x y) 2.0)))
; expect: unsat
(check-sat)
