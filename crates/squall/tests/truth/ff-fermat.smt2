(declare-const x (_ FiniteField 3))
(assert (distinct (ff.mul x x x) x))
; expect: unsat
(check-sat)
