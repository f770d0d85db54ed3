; Whether a fact follows depends on a value that is open: a solution may take 1.
(set-logic HORN)
(declare-fun c (Int) Bool)
(assert (forall ((n Int)) (=> (= (div n 0) 0) (c n))))
(assert (forall ((n Int)) (=> (and (c n) (= n 7)) false)))
; expect: sat
(check-sat)
