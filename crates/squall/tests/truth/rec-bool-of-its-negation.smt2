(define-fun-rec f ((x Bool)) Bool (f (not x)))
(push 1)
(assert (f true))
; expect: sat
(check-sat)
(pop 1)
(assert (distinct (f true) (f false)))
; expect: unsat
(check-sat)
