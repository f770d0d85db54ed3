(declare-const a (Set Bool))
(declare-const b (Set Bool))
(assert (set.subset a b))
(assert (set.subset b a))
(assert (distinct a b))
; expect: unsat
(check-sat)
