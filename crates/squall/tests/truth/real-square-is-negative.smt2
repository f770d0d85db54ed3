(declare-const x Real)
(assert (< (* x x) 0.0))
; expect: unsat
(check-sat)
