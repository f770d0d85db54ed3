(assert (not (fp.isZero (fp.max (_ +zero 8 24) (_ -zero 8 24)))))
; expect: unsat
(check-sat)
