; f(x) = f(x) says nothing of f.
(define-fun-rec f ((x Int)) Int (f x))
(assert (= (f 1) 7))
; expect: sat
(check-sat)
(assert (= (f 1) 8))
; expect: unsat
(check-sat)
