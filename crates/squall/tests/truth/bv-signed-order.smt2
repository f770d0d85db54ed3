(assert (bvslt #x8 #x7))
(assert (bvult #x7 #x8))
; expect: sat
(check-sat)
(assert (bvsge #x8 #x0))
; expect: unsat
(check-sat)
