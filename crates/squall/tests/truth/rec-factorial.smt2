(define-fun-rec f ((x Int)) Int (ite (<= x 0) 1 (* x (f (- x 1)))))
(push 1)
(assert (= (f 4) 24))
; expect: sat
(check-sat)
(pop 1)
(assert (distinct (f 3) 6))
; expect: unsat
(check-sat)
