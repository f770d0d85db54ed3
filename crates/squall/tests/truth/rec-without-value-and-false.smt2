(define-fun-rec f ((x Int)) Int (+ (f x) 1))
(assert false)
; expect: unsat
(check-sat)
