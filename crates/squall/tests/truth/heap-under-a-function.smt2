; What heap a formula is about as an argument is not documented.
(set-logic ALL)
(declare-heap (Bool Bool))
(declare-fun f (Bool) Bool)
(assert sep.emp)
(assert (f (pto true true)))
(assert (not (f (pto false true))))
; expect: open
(check-sat)
