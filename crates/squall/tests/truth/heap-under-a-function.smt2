; What heap a formula is about as an argument is not documented.
(set-logic ALL)
(declare-heap (Bool Bool))
(declare-fun f (Bool) Bool)
(assert (f (pto true true)))
(assert (not (f (pto true true))))
; expect: open
(check-sat)
