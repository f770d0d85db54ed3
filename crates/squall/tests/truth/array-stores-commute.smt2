(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(assert (distinct i j))
(assert (distinct (store (store a i 1) j 2) (store (store a j 2) i 1)))
; expect: unsat
(check-sat)
