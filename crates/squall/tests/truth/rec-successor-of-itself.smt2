; f(1) = 1 + f(1).
(define-fun-rec f ((x Int)) Int (ite (= x 0) 0 (+ 1 (f x))))
(declare-const p Bool)
(assert (or p (not p)))
; expect: unsat
(check-sat)
