(declare-fun f (Int) Int)
(assert (forall ((x Int)) (=> (<= 0 x 2) (= (f x) (* x x)))))
(assert (= (f 2) 4))
; expect: sat
(check-sat)
(assert (= (f 1) 2))
; expect: unsat
(check-sat)
