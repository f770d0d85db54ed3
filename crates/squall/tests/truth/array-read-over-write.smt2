(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(assert (distinct (select (store a i 1) j) (ite (= i j) 1 (select a j))))
; expect: unsat
(check-sat)
