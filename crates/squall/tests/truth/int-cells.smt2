; Between the roots of a polynomial there may be no integer.
(declare-fun n () Int)
(assert (= n 2))
(assert (not (exists ((x Int)) (< 8 (* n x x) 18 (* 10 n)))))
(assert (not (exists ((x Int)) (< 1 (* x x) 4))))
(assert (forall ((x Int)) (or (<= (* x x) x) (> (* x x) (* n x)) (= x n))))
; expect: sat
(check-sat)
(assert (exists ((x Int)) (and (< n x) (< (to_real x) 2.75))))
; expect: unsat
(check-sat)
