; The squares modulo 3 are 0 and 1.
(declare-const x (_ FiniteField 3))
(assert (= (ff.mul x x) (as ff2 (_ FiniteField 3))))
; expect: unsat
(check-sat)
