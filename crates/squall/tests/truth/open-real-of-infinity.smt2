(assert (= (fp.to_real (_ +oo 5 11)) 3.0))
; expect: sat
(check-sat)
(assert (= (fp.to_real (_ +oo 5 11)) 4.0))
; expect: unsat
(check-sat)
