; A sum of counters stops at the top, so the top plus anything is the top. A half of it added to itself is not.
(set-info :squall-theory "(define-sort Counter () (_ BitVec 2))(define-fun top () Counter #b11)(define-fun plus ((x Counter) (y Counter)) Counter (ite (bvult (bvadd x y) x) #b11 (bvadd x y)))(define-fun half ((x Counter)) Counter (bvlshr x #b01))")
(declare-const x Counter)
(declare-const y Counter)
(push 1)
(assert (distinct (plus x top) top))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (distinct (plus (half x) (half x)) x))
; expect: sat
(check-sat)
(pop 1)
(assert (forall ((z Counter)) (or (= z top) (distinct (plus x z) z))))
(assert (= (plus x y) y))
(assert (distinct y top))
; expect: unsat
(check-sat)
