; Nobody knows whether the recursion ends, and f = 1 everywhere is an interpretation.
(define-fun-rec f ((n Int)) Int (ite (<= n 1) 1 (ite (= (mod n 2) 0) (f (div n 2)) (f (+ (* 3 n) 1)))))
(assert (= (f 7) 1))
; expect: sat
(check-sat)
