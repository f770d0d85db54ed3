(declare-const x Int)
(assert (or (< (mod x 5) 0) (>= (mod x (- 5)) 5)))
; expect: unsat
(check-sat)
