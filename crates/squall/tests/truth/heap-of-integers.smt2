(set-logic ALL)
(declare-heap (Int Int))
(declare-const x Int)
(assert (sep (pto x 1) (pto x 2)))
; expect: unsat
(check-sat)
