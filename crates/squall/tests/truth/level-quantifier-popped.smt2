(declare-fun f (Int) Int)
(assert (= (f 0) 1))
(push 1)
(assert (forall ((x Int)) (= (f x) 0)))
; expect: unsat
(check-sat)
(pop 1)
; expect: sat
(check-sat)
