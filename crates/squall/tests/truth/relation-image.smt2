; Values that are related to at least two. What is related to at least none is open.
(set-logic ALL)
(declare-const r (Relation Bool Bool))
(push 1)
(assert (= (rel.join_image r 2) (set.singleton (tuple true))))
(assert (not (set.member (tuple false true) r)))
; expect: sat
(check-sat)
(assert (not (set.member (tuple true true) r)))
; expect: unsat
(check-sat)
(pop 1)
(assert (= r (as set.empty (Relation Bool Bool))))
(assert (set.is_singleton (rel.join_image r 0)))
; expect: open
(check-sat)
