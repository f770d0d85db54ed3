(assert (= (bag.difference_subtract (bag 1 5) (bag 1 3)) (bag 1 2)))
(assert (= (bag.difference_remove (bag 1 5) (bag 1 3)) (as bag.empty (Bag Int))))
; expect: sat
(check-sat)
