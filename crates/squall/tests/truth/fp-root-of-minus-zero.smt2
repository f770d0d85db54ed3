(assert (= (fp.sqrt RNE (_ -zero 5 11)) (_ -zero 5 11)))
; expect: sat
(check-sat)
