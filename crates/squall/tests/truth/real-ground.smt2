; No symbol at all.
(set-logic QF_NRA)
(assert (<= (* 1.5 1.5) 2.25))
; expect: sat
(check-sat)
