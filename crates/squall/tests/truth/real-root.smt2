; The root of 2 is irrational and not negative (an operator of cvc5).
(set-logic ALL)
(assert (= (* (sqrt 2.0) (sqrt 2.0)) 2.0))
; expect: sat
(check-sat)
(assert (or (< (sqrt 2.0) 0.0) (> (sqrt 2.0) 1.5) (= (sqrt 9.0) (- 3.0))))
; expect: unsat
(check-sat)
