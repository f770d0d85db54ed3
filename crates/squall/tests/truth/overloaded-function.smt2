(declare-fun f (Int) Int)
(declare-fun f (Bool) Int)
(assert (distinct (f 1) (f true)))
; expect: sat
(check-sat)
(assert (distinct (f 1) (f 1)))
; expect: unsat
(check-sat)
