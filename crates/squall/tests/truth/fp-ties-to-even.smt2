; 2049 lies between 2048 and 2050 in Float16.
(assert (= ((_ to_fp 5 11) RNE 2049.0) ((_ to_fp 5 11) RNE 2048.0)))
(assert (= ((_ to_fp 5 11) RNA 2049.0) ((_ to_fp 5 11) RNE 2050.0)))
; expect: sat
(check-sat)
