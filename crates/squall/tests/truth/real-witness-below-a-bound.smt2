; Only numbers below minus two make it true.
(declare-fun a () Real)
(assert (forall ((v Real)) (or (> v a) (> (* v a) 4.0))))
; expect: sat
(check-sat)
(assert (>= a (- 2.0)))
; expect: unsat
(check-sat)
