(declare-const p Bool)
(assert (or p (> (sin 0.0) 2.0)))
; expect: open
(check-sat)
