(set-logic ALL)
(declare-datatype L ((a) (b) (c)))
(declare-heap (L Bool))
(declare-const x L)
(declare-const y L)
(assert (sep (pto x true) (pto y true)))
; expect: sat
(check-sat)
(assert (= x y))
; expect: unsat
(check-sat)
