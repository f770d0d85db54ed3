; Groups are parts of the relation, and the empty one has one group, itself (as cvc5 computes them).
(set-logic HO_ALL)
(declare-const r (Relation Bool Bool))
(push 1)
(assert (not (set.all (lambda ((g (Relation Bool Bool))) (set.subset g r)) ((_ rel.group 0) r))))
; expect: unsat
(check-sat)
(pop 1)
(assert (set.is_empty r))
(assert (not (= ((_ rel.group 1) r) (set.singleton r))))
; expect: unsat
(check-sat)
