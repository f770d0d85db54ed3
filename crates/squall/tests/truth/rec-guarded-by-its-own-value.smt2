; f(x) = 1 where f(x) = 0, and 0 elsewhere.
(define-fun-rec f ((x Bool)) Int (ite (= (f x) 0) 1 0))
(declare-const p Bool)
(assert p)
; expect: unsat
(check-sat)
