(set-logic HO_ALL)
(declare-const h (-> Int Int))
(push 1)
(assert (distinct (@ h 1) (@ h 2)))
; expect: sat
(check-sat)
(pop 1)
(assert (distinct (@ h 1) (h 1)))
; expect: unsat
(check-sat)
