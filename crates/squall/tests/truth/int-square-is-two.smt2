(declare-const x Int)
(assert (= (* x x) 2))
; expect: unsat
(check-sat)
