(define-sort Pair (X) (Array Bool X))
(declare-const a (Pair Int))
(assert (distinct (select a true) (select a false)))
(assert (= (select a true) 1))
; expect: sat
(check-sat)
(assert (= (select a false) 1))
; expect: unsat
(check-sat)
