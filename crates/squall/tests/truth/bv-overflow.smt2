; SMT-LIB 2.7: 8 * 2 does not fit in four bits, and -8 has no negation.
(assert (bvumulo #x8 #x2))
(assert (bvnego #x8))
(assert (bvsaddo #x7 #x1))
(assert (not (bvuaddo #xE #x1)))
; expect: sat
(check-sat)
