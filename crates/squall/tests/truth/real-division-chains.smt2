(assert (distinct (/ 12.0 3.0 2.0) 2.0))
; expect: unsat
(check-sat)
