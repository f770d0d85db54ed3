(declare-const x Real)
(assert (= (* x x x) 2.0))
(assert (< (* x x) 1.0))
; expect: unsat
(check-sat)
