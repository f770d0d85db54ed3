(set-logic HO_ALL)
(declare-const h (-> Int Int Int))
(push 1)
(assert (distinct (h 1 2) (h 2 1)))
; expect: sat
(check-sat)
(pop 1)
(declare-const x Int)
(assert (= x 2))
(assert (distinct (h 1 x) (h 1 2)))
; expect: unsat
(check-sat)
