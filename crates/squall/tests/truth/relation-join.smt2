; A join leaves the common field out; a product keeps all.
(set-logic ALL)
(declare-const r (Relation Bool Bool))
(declare-const s (Relation Bool Bool Bool))
(declare-const x Bool)
(assert (= r (set.singleton (tuple true false))))
(assert (= s (rel.join (rel.product r (set.singleton (tuple x))) r)))
(assert (= (rel.transpose s) (set.singleton (tuple false false true))))
; expect: sat
(check-sat)
(assert (not x))
; expect: unsat
(check-sat)
