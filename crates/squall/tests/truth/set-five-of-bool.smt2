; Bool has four subsets.
(declare-const a (Set Bool))
(declare-const b (Set Bool))
(declare-const c (Set Bool))
(declare-const d (Set Bool))
(assert (distinct a b c d))
; expect: sat
(check-sat)
(declare-const e (Set Bool))
(assert (distinct a b c d e))
; expect: unsat
(check-sat)
