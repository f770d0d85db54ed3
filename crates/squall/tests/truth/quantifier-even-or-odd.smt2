(assert (not (forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= x (+ (* 2 y) 1)))))))
; expect: unsat
(check-sat)
