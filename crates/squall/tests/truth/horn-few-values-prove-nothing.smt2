; No query is derived from few values, and with all integers the relation of numbers from 0 on is a solution.
(set-logic HORN)
(declare-fun c (Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (c n))))
(assert (forall ((n Int)) (=> (c n) (c (+ n 1)))))
(assert (forall ((n Int)) (=> (and (c n) (< n 0)) false)))
; expect: sat
(check-sat)
