; f(true) = not f(false) has two interpretations.
(define-fun-rec f ((x Bool)) Bool (not (f (not x))))
(push 1)
(assert (f true))
; expect: sat
(check-sat)
(pop 1)
(assert (= (f true) (f false)))
; expect: unsat
(check-sat)
