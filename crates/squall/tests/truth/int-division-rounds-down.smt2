; For a positive divisor div rounds down.
(assert (= (div (- 7) 2) (- 4)))
; expect: sat
(check-sat)
(assert (= (mod (- 7) 2) (- 1)))
; expect: unsat
(check-sat)
