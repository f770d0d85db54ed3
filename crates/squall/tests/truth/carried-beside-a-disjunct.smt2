(declare-const p Bool)
(declare-const q Bool)
(assert (or p ((_ at-most 1) p q)))
; expect: open
(check-sat)
