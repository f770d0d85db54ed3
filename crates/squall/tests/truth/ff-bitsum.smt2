; The argument at place i counts 2 to the i.
(assert (= (ff.bitsum (as ff1 (_ FiniteField 7)) (as ff1 (_ FiniteField 7)) (as ff1 (_ FiniteField 7))) (as ff0 (_ FiniteField 7))))
; expect: sat
(check-sat)
