; An element is taken as often as it is in the bag.
(set-logic HO_ALL)
(declare-const b (Bag Int))
(assert (= b (bag.union_disjoint (bag 1 2) (bag 3 1))))
(assert (= 5 (bag.fold (lambda ((x Int) (sum Int)) (+ x sum)) 0 b)))
; expect: sat
(check-sat)
(assert (= 4 (bag.fold (lambda ((x Int) (sum Int)) (+ x sum)) 0 b)))
; expect: unsat
(check-sat)
