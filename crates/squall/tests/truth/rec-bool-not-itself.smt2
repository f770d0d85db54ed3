; model: (define-fun p () Bool true)
(define-funs-rec ((f ((x Bool)) Bool)) ((not (f x))))
(declare-const p Bool)
(assert p)
; expect: unsat
(check-sat)
