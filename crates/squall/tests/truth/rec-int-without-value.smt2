; The definition is the assertion that f(x) = f(x) + 1 for all x.
; model: (define-fun p () Bool true)
(define-fun-rec f ((x Int)) Int (+ (f x) 1))
(declare-const p Bool)
(assert p)
; expect: unsat
(check-sat)
