(assert (= (bag.union_max (bag 1 2) (bag 1 3)) (bag 1 3)))
(assert (= (bag.inter_min (bag 1 2) (bag 1 3)) (bag 1 2)))
; expect: sat
(check-sat)
