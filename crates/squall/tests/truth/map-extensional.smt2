(set-logic HO_ALL)
(declare-const f (-> Bool Bool))
(declare-const g (-> Bool Bool))
(assert (forall ((x Bool)) (= (f x) (g x))))
; expect: sat
(check-sat)
(assert (distinct f g))
; expect: unsat
(check-sat)
