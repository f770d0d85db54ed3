(define-fun-rec f ((x Int)) Int (f (+ x 1)))
(declare-const p Bool)
(assert (and p (not p)))
; expect: unsat
(check-sat)
