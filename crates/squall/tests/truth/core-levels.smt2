(declare-const p Bool)
(assert p)
(push 2)
(assert (not p))
; expect: unsat
(check-sat)
(pop 1)
; expect: sat
(check-sat)
(pop 1)
; expect: sat
(check-sat)
