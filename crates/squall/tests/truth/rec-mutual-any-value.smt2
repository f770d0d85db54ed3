; Every f = g is an interpretation.
(define-funs-rec ((f ((x Bool)) Bool) (g ((x Bool)) Bool)) ((g x) (f x)))
(assert (f true))
(assert (not (f false)))
; expect: sat
(check-sat)
(assert (distinct (f true) (g true)))
; expect: unsat
(check-sat)
