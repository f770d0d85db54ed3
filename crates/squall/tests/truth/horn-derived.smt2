; By the least relations q holds of 1 to 4: more points than all relations are tried for, so that the fixpoint decides.
(set-logic HORN)
(declare-fun p ((_ BitVec 3)) Bool)
(declare-fun q ((_ BitVec 3)) Bool)
(assert (p #b000))
(assert (forall ((x (_ BitVec 3))) (=> (p x) (q (bvadd x #b001)))))
(assert (forall ((x (_ BitVec 3))) (=> (and (q x) (bvult x #b100)) (p x))))
(assert (forall ((x (_ BitVec 3))) (=> (q x) (distinct x #b100))))
; expect: unsat
(check-sat)
