(declare-const x Int)
(assert (= (abs x) (- x)))
(assert (> x 0))
; expect: unsat
(check-sat)
