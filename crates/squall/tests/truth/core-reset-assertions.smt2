(set-option :global-declarations true)
(declare-const p Bool)
(assert (and p (not p)))
; expect: unsat
(check-sat)
(reset-assertions)
(assert p)
; expect: sat
(check-sat)
