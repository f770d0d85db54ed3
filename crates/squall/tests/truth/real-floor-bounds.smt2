(declare-const x Real)
(assert (not (<= 0.0 (- x (to_real (to_int x))) 1.0)))
; expect: unsat
(check-sat)
