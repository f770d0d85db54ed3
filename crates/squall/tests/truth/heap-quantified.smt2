; Quantifiers range over values, on the same heap.
(set-logic ALL)
(declare-datatype L ((a) (b) (c)))
(declare-heap (L Bool))
(assert (not sep.emp))
(assert (forall ((x L) (d Bool)) (not (pto x d))))
; expect: sat
(check-sat)
(assert (forall ((x L)) (=> (not (= x (as sep.nil L))) (not (sep (pto x true) (not sep.emp))))))
(assert (forall ((x L)) (not (sep (pto x false) true))))
; expect: unsat
(check-sat)
