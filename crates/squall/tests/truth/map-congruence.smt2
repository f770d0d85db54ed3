(set-logic HO_ALL)
(declare-fun F ((-> Bool Bool)) Int)
(declare-const f (-> Bool Bool))
(declare-const g (-> Bool Bool))
(push 1)
(assert (distinct (F f) (F g)))
; expect: sat
(check-sat)
(pop 1)
(assert (= (f true) (g true)))
(assert (= (f false) (g false)))
(assert (distinct (F f) (F g)))
; expect: unsat
(check-sat)
