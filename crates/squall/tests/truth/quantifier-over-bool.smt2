(declare-const p Bool)
(assert (forall ((q Bool)) (or p (not q))))
; expect: sat
(check-sat)
(assert (not p))
; expect: unsat
(check-sat)
