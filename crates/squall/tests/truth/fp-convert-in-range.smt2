(assert (= ((_ fp.to_ubv 4) RNE ((_ to_fp 5 11) RNE 2.5)) #x2))
(assert (= ((_ fp.to_sbv 4) RTN ((_ to_fp 5 11) RNE (- 2.5))) #xD))
; expect: sat
(check-sat)
