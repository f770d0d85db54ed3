(declare-const x Int)
(assert (<= 0 x 3))
(push 1)
(assert (> x 1))
(push 1)
(assert (distinct x 2 3))
; expect: unsat
(check-sat)
(pop 1)
; expect: sat
(check-sat)
(push 1)
(assert (distinct x 2))
; expect: sat
(check-sat)
(assert (< x 3))
; expect: unsat
(check-sat)
(pop 2)
(assert (= x 0))
; expect: sat
(check-sat)
