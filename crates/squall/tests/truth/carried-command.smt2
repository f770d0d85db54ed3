; A command that is not understood may assert anything, and takes back no contradiction.
(declare-const p Bool)
(assert-something-else p)
(assert (and p (not p)))
; expect: unsat
(check-sat)
