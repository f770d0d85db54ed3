; The heap has this location and no other.
(set-logic ALL)
(declare-datatype L ((a) (b) (c)))
(declare-heap (L Bool))
(declare-const x L)
(assert (pto x true))
(assert (not (= x a)))
(assert (distinct x (as sep.nil L)))
; expect: sat
(check-sat)
(assert (pto a true))
; expect: unsat
(check-sat)
