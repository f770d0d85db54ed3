(assert (str.< "a" "ab"))
(assert (str.< "Z" "a"))
(assert (str.<= "a" "a"))
; expect: sat
(check-sat)
(assert (str.< "a" "a"))
; expect: unsat
(check-sat)
