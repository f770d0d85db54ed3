(assert (fp.isSubnormal (fp #b0 #b00000 #b0000000001)))
(assert (= (fp.to_real (fp #b0 #b00000 #b0000000001)) (/ 1.0 16777216.0)))
; expect: sat
(check-sat)
