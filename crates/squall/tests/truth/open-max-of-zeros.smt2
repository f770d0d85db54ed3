; Either zero may be the maximum of two zeros.
(assert (= (fp.max (_ +zero 8 24) (_ -zero 8 24)) (_ +zero 8 24)))
; expect: sat
(check-sat)
