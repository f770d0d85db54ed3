(declare-fun p (Int) Bool)
(assert (p 0))
(assert (not (p 1)))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
; expect: sat
(check-sat)
(assert (not (p 4)))
; expect: unsat
(check-sat)
