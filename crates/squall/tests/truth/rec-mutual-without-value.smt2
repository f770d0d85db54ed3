(define-funs-rec ((f ((x Bool)) Bool) (g ((x Bool)) Bool)) ((g x) (not (f x))))
(declare-const p Bool)
(assert p)
; expect: unsat
(check-sat)
