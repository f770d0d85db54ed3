(declare-const x (_ FiniteField 5))
(assert (= (ff.mul x (as ff2 (_ FiniteField 5))) (as ff1 (_ FiniteField 5))))
; expect: sat
(check-sat)
(assert (distinct x (as ff3 (_ FiniteField 5))))
; expect: unsat
(check-sat)
