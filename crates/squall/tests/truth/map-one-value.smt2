(set-logic HO_ALL)
(declare-const h (-> Int Int))
(declare-const x Int)
(assert (= x 1))
(assert (distinct (h x) (h 1)))
; expect: unsat
(check-sat)
