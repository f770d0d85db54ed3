(declare-const x Int)
(declare-const y Int)
(assert (= (* 2 x) (+ (* 2 y) 1)))
; expect: unsat
(check-sat)
