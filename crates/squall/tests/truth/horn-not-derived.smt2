; By the least relations q holds of 1 to 4, and 5 is not reached.
(set-logic HORN)
(declare-fun p ((_ BitVec 3)) Bool)
(declare-fun q ((_ BitVec 3)) Bool)
(assert (p #b000))
(assert (forall ((x (_ BitVec 3))) (=> (p x) (q (bvadd x #b001)))))
(assert (forall ((x (_ BitVec 3))) (=> (and (q x) (bvult x #b100)) (p x))))
(assert (forall ((x (_ BitVec 3))) (=> (q x) (distinct x #b101))))
; expect: sat
(check-sat)
