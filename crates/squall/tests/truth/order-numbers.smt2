; An index tells orders of one sort apart, and so do kinds and sorts.
(declare-const x (_ BitVec 2))
(declare-const y (_ BitVec 2))
(assert ((_ linear-order 0) x y))
(assert ((_ linear-order 1) y x))
(assert ((_ partial-order 0) y x))
(assert ((_ linear-order 0) (bvult y x) (= x y)))
(assert (distinct x y))
; expect: sat
(check-sat)
(assert ((_ linear-order 1) x y))
; expect: unsat
(check-sat)
