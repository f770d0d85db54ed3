; The values of derived facts are values of the variables, too: 38 is reached from 0.
(set-logic HORN)
(declare-fun c (Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (c n))))
(assert (forall ((n Int)) (=> (and (c n) (< n 40)) (c (+ n 1)))))
(assert (forall ((n Int)) (=> (and (c n) (> n 37)) false)))
; expect: unsat
(check-sat)
