(declare-const b (Bag Int))
(assert (= b (bag.union_disjoint (bag 1 2) (bag 1 3))))
(assert (= (bag.count 1 b) 5))
; expect: sat
(check-sat)
(assert (= (bag.count 2 b) 1))
; expect: unsat
(check-sat)
