; div by 0 is some function of its first argument.
(assert (distinct (div 1 0) (div 2 0)))
; expect: sat
(check-sat)
(assert (= (div 1 0) (div 2 0)))
; expect: unsat
(check-sat)
