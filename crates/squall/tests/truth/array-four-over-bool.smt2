(declare-const a (Array Bool Bool))
(declare-const b (Array Bool Bool))
(declare-const c (Array Bool Bool))
(declare-const d (Array Bool Bool))
(declare-const e (Array Bool Bool))
(assert (distinct a b c d e))
; expect: unsat
(check-sat)
