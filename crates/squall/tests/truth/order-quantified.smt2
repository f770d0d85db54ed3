; Under a quantifier the laws hold among all values; of an infinite sort not all are tried.
(declare-const x (_ BitVec 2))
(push 1)
(assert (forall ((y (_ BitVec 2))) ((_ partial-order 0) x y)))
(assert (forall ((y (_ BitVec 2))) (=> ((_ partial-order 0) y x) (= y x))))
; expect: sat
(check-sat)
(assert (exists ((y (_ BitVec 2))) (and ((_ partial-order 0) y x) (distinct y x))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (forall ((y (_ BitVec 2)) (z (_ BitVec 2))) (=> (and ((_ tree-order 0) y x) ((_ tree-order 0) z x))
  (or ((_ tree-order 0) y z) ((_ tree-order 0) z y)))))
; expect: sat
(check-sat)
(pop 1)
(assert (forall ((n Int)) (=> (<= 0 n 1) (not ((_ partial-order 0) n n)))))
; expect: open
(check-sat)
