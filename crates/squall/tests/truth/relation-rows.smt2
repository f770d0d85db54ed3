; A join of two pairs of fields keeps the rows that agree in both: cvc5 1.4.2 finds a row here.
(set-logic HO_ALL)
(declare-const a (Relation Int Int))
(assert (= a (set.union (set.singleton (tuple 0 1)) (set.singleton (tuple 2 1)))))
(push 1)
(assert (not (= ((_ rel.table_join 0 0 1 1) a (set.singleton (tuple 0 0))) (as set.empty (Relation Int Int Int Int)))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (= ((_ rel.table_join 1 1) a a) (rel.product a a)))
; expect: sat
(check-sat)
(assert (= ((_ rel.project 1) a) (set.singleton (tuple 1))))
; expect: sat
(check-sat)
(assert (= ((_ rel.group 1) a) ((_ rel.group 0) a)))
; expect: unsat
(check-sat)
(pop 1)
(assert (= ((_ rel.aggr 1) (lambda ((t (Tuple Int Int)) (s Int)) (+ s ((_ tuple.select 0) t))) 0 a) (set.singleton 2)))
; expect: sat
(check-sat)
