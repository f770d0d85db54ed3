; The remainder is never negative: -7 = (-2)*4 + 1.
(assert (= (div (- 7) (- 2)) 4))
(assert (= (mod (- 7) (- 2)) 1))
; expect: sat
(check-sat)
(assert (= (div 7 (- 2)) (- 4)))
; expect: unsat
(check-sat)
