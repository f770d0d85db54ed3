; A part of z3's own, which is only carried.
(declare-const p Bool)
(declare-const q Bool)
(assert ((_ at-most 1) p q))
; expect: open
(check-sat)
(assert (and p (not p)))
; expect: unsat
(check-sat)
