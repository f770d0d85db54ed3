(define-fun m () Float16 (fp.min (_ +zero 5 11) (_ -zero 5 11)))
(assert (fp.isPositive m))
; expect: sat
(check-sat)
(assert (fp.isNegative m))
; expect: unsat
(check-sat)
