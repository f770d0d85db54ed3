; The assertion about f itself cannot save it.
(define-fun-rec f ((x Int)) Int (- 1 (f x)))
(assert (= (f 3) 0))
; expect: unsat
(check-sat)
