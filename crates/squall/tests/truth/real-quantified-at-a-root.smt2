; Only the root of two is at least each number whose square is at most two, and at most one of them.
(declare-fun x () Real)
(assert (forall ((u Real)) (or (> (* u u) 2.0) (<= u x))))
(assert (<= (* x x) 2.0))
; expect: sat
(check-sat)
(assert (exists ((u Real)) (and (= (* u u u) x) (< (* u u u u) 1.25))))
; expect: unsat
(check-sat)
