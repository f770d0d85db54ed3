(set-logic HO_ALL)
(declare-const f (-> Int Int))
(declare-const g (-> Int Int))
(assert (= f g))
(assert (distinct (f 5) (g 5)))
; expect: unsat
(check-sat)
