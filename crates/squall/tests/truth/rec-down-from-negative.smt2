; f(x) = x is an interpretation, though the recursion never ends below 0.
(define-fun-rec f ((x Int)) Int (ite (= x 0) 0 (+ 1 (f (- x 1)))))
(declare-const p Bool)
(assert p)
; expect: sat
(check-sat)
