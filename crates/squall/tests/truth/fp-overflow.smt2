(assert (= ((_ to_fp 5 11) RNE 70000.0) (_ +oo 5 11)))
; expect: sat
(check-sat)
(assert (fp.isInfinite ((_ to_fp 5 11) RTZ 70000.0)))
; expect: unsat
(check-sat)
