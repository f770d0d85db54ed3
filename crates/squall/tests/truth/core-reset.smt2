(declare-const p Bool)
(assert (and p (not p)))
; expect: unsat
(check-sat)
(reset)
(declare-const p Int)
(assert (= p 1))
; expect: sat
(check-sat)
