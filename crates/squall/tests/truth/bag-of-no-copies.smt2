; A multiplicity below 1 gives the empty bag.
(assert (distinct (bag 1 (- 2)) (as bag.empty (Bag Int))))
; expect: unsat
(check-sat)
