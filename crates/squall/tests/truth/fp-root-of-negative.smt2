(assert (not (fp.isNaN (fp.sqrt RNE (fp #b1 #b01111 #b0000000000)))))
; expect: unsat
(check-sat)
