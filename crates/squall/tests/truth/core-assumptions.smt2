(declare-const p Bool)
(declare-const q Bool)
(assert (or p q))
; expect: unsat
(check-sat-assuming ((not p) (not q)))
; expect: sat
(check-sat-assuming ((not p)))
; expect: sat
(check-sat)
