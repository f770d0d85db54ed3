(declare-const x (_ FiniteField 7))
(assert (distinct (ff.add x (ff.neg x)) (as ff0 (_ FiniteField 7))))
; expect: unsat
(check-sat)
