(assert (= (fp.roundToIntegral RNE ((_ to_fp 5 11) RNE 2.5)) ((_ to_fp 5 11) RNE 2.0)))
(assert (= (fp.roundToIntegral RTZ ((_ to_fp 5 11) RNE (- 0.5))) (_ -zero 5 11)))
; expect: sat
(check-sat)
