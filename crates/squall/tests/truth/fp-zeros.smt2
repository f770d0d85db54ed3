(assert (fp.eq (_ +zero 5 11) (_ -zero 5 11)))
(assert (distinct (_ +zero 5 11) (_ -zero 5 11)))
; expect: sat
(check-sat)
(assert (fp.lt (_ -zero 5 11) (_ +zero 5 11)))
; expect: unsat
(check-sat)
