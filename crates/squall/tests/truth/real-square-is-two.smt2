(declare-const x Real)
(assert (= (* x x) 2.0))
(assert (> x 0.0))
; expect: sat
(check-sat)
(assert (< x 1.4))
; expect: unsat
(check-sat)
