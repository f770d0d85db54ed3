(assert (distinct (- 10 3 2) 5))
; expect: unsat
(check-sat)
