; Operators of solvers that are total extensions of standard ones, by their documentation.
(define-fun div_total ((x Int) (y Int)) Int (ite (= y 0) 0 (div x y)))
(define-fun mod_total ((x Int) (y Int)) Int (ite (= y 0) x (mod x y)))
(define-fun /_total ((x Real) (y Real)) Real (ite (= y 0.0) 0.0 (/ x y)))
