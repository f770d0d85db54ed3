; to_int rounds down.
(assert (= (to_int (- 1.5)) (- 2)))
; expect: sat
(check-sat)
(assert (is_int (- 1.5)))
; expect: unsat
(check-sat)
