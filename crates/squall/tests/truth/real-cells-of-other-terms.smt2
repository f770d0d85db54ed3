; What does not mention the variable may be anything; what mentions it must be a polynomial, or nothing is known from cells.
(declare-fun f (Real) Real)
(declare-fun p () Bool)
(assert (= (f 1.0) 3.0))
(assert p)
(assert (forall ((x Real)) (ite p (>= (+ (* x x) (f 1.0)) 3.0) (= x (f x)))))
; expect: sat
(check-sat)
(assert (forall ((x Real)) (xor p (< (* (f 1.0) x) 0.0))))
; expect: unsat
(check-sat)
