(declare-const x Int)
(declare-const y Int)
(assert (< x y (+ x 1)))
; expect: unsat
(check-sat)
