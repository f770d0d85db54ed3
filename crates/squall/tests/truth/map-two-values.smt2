(set-logic HO_ALL)
(declare-const h (-> Int Int))
(assert (distinct (h 1) (h 2)))
; expect: sat
(check-sat)
