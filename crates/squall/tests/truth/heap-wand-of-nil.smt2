; No extension has `sep.nil` either.
(set-logic ALL)
(declare-datatype L ((a) (b) (c)))
(declare-heap (L Bool))
(assert (not (wand (pto (as sep.nil L) true) false)))
; expect: unsat
(check-sat)
