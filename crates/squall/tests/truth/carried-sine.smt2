(declare-const x Real)
(assert (= (sin x) 0.5))
; expect: open
(check-sat)
(assert (< x x))
; expect: unsat
(check-sat)
