; f(x) = f(x)/2 + 1 has the solution 2 alone.
(define-fun-rec f ((x Real)) Real (+ (/ (f x) 2.0) 1.0))
(push 1)
(assert (= (f 0.0) 2.0))
; expect: sat
(check-sat)
(pop 1)
(assert (distinct (f 0.0) 2.0))
; expect: unsat
(check-sat)
