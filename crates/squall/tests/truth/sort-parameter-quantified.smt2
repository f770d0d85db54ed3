; An assertion with a sort parameter is meant for each sort (SMT-LIB 2.7), also for those of several elements.
(declare-sort-parameter X)
(push 1)
(assert (forall ((x X) (y X)) (= x y)))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (exists ((x X) (y X)) (distinct x y)))
; expect: unsat
(check-sat)
(pop 1)
(assert (forall ((x X)) (exists ((y X)) (= x y))))
; expect: sat
(check-sat)
