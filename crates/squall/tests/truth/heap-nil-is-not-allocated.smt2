(set-logic ALL)
(declare-datatype L ((a) (b) (c)))
(declare-heap (L Bool))
(assert (sep (pto (as sep.nil L) true) true))
; expect: unsat
(check-sat)
