(declare-sort S 0)
(declare-const a S)
(declare-const b S)
(assert ((_ partial-order 0) a b))
(assert (distinct a b))
; expect: sat
(check-sat)
