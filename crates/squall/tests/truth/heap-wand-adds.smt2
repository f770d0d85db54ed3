; A cell that cannot be added makes the wand true; one that can leaves the heap with two cells.
(set-logic ALL)
(declare-datatype L ((a) (b) (c)))
(declare-heap (L Bool))
(declare-const x L)
(assert (pto a true))
(assert (wand (pto x false) (pto x false)))
; expect: sat
(check-sat)
(assert (not (= x a)))
(assert (not (= x (as sep.nil L))))
; expect: unsat
(check-sat)
