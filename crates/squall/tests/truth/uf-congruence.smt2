(declare-sort S 0)
(declare-fun f (S) S)
(declare-const a S)
(assert (= (f (f (f a))) a))
(assert (= (f (f (f (f (f a))))) a))
; expect: sat
(check-sat)
(assert (distinct (f a) a))
; expect: unsat
(check-sat)
