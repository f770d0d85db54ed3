(declare-const a RoundingMode)
(declare-const b RoundingMode)
(declare-const c RoundingMode)
(declare-const d RoundingMode)
(declare-const e RoundingMode)
(assert (distinct a b c d e))
; expect: sat
(check-sat)
(declare-const f RoundingMode)
(assert (distinct a b c d e f))
; expect: unsat
(check-sat)
