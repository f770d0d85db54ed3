(declare-fun f (Int) Int)
(declare-fun f (Int Int) Int)
(assert (distinct (f 1) (f 1 1)))
; expect: sat
(check-sat)
