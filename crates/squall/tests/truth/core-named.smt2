(declare-const p Bool)
(assert (! (or p false) :named n))
(assert n)
(assert (not p))
; expect: unsat
(check-sat)
