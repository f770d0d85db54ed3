; SMT-LIB 2.7 writes the application of a map as (_ h 1).
(set-logic HO_ALL)
(declare-const h (-> Int Int))
(push 1)
(assert (distinct (_ h 1) (_ h 2)))
; expect: sat
(check-sat)
(pop 1)
(assert (distinct (_ h 1) (h 1)))
; expect: unsat
(check-sat)
