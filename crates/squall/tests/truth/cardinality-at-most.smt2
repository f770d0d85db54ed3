; A bound of z3, beside a contradiction.
(declare-const p Bool)
(declare-const q Bool)
(assert ((_ at-most 1) p q))
; expect: sat
(check-sat)
(assert (and p (not p)))
; expect: unsat
(check-sat)
