; A tuple is its fields.
(set-logic ALL)
(declare-const t (Tuple Bool (_ BitVec 2)))
(declare-const u UnitTuple)
(assert (= t ((_ tuple.update 1) ((_ tuple.project 0 1) t) #b10)))
(assert (= u tuple.unit))
; expect: sat
(check-sat)
(assert (distinct t (tuple true #b10) (tuple false #b10)))
; expect: unsat
(check-sat)
