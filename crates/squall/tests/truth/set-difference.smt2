(declare-const a (Set Int))
(assert (distinct (set.minus a a) (as set.empty (Set Int))))
; expect: unsat
(check-sat)
