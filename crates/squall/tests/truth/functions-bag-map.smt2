; Multiplicities of elements with one value are added.
(set-logic HO_ALL)
(declare-const b (Bag Int))
(assert (= b (bag.union_disjoint (bag 1 2) (bag (- 1) 3) (bag 0 1))))
(assert (= (bag.map (lambda ((x Int)) (* x x)) b) (bag.union_disjoint (bag 1 5) (bag 0 1))))
(assert (= (bag.filter (lambda ((x Int)) (< x 1)) b) (bag.union_disjoint (bag (- 1) 3) (bag 0 1))))
(assert (bag.some (lambda ((x Int)) (= x 0)) b))
; expect: sat
(check-sat)
(assert (bag.all (lambda ((x Int)) (= x 0)) b))
; expect: unsat
(check-sat)
