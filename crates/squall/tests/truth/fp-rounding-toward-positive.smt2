(assert (fp.gt ((_ to_fp 5 11) RTP 0.1) ((_ to_fp 5 11) RTN 0.1)))
; expect: sat
(check-sat)
