(declare-const x Real)
(assert (= x 0.0))
(assert (= (/ 3.0 x) 1.0))
; expect: sat
(check-sat)
(assert (= (/ 3.0 0.0) 2.0))
; expect: unsat
(check-sat)
