; f(x) = f(x) where it is 0 or 1, and no other value.
(define-fun-rec f ((x Bool)) Int (ite (<= 0 (f x) 1) (f x) 0))
(push 1)
(assert (= (f true) 1))
; expect: sat
(check-sat)
(pop 1)
(assert (= (f true) 2))
; expect: unsat
(check-sat)
