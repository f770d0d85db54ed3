; A quadratic equation has a root exactly if its discriminant is not negative.
(assert (forall ((a Real) (b Real) (c Real))
  (=> (distinct a 0.0) (= (>= (* b b) (* 4.0 a c)) (exists ((x Real)) (= (+ (* a x x) (* b x) c) 0.0))))))
; expect: sat
(check-sat)
(assert (forall ((a Real) (b Real)) (exists ((x Real)) (= (+ (* a x x) (* b x) 1.0) 0.0))))
; expect: unsat
(check-sat)
