(assert (= (/ 1.0 0.0) 5.0))
; expect: sat
(check-sat)
(assert (distinct (/ 1.0 0.0) 5.0))
; expect: unsat
(check-sat)
