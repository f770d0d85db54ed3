; bvsrem has the sign of the dividend, bvsmod that of the divisor.
(assert (= (bvsrem #xD #x2) #xF))
(assert (= (bvsmod #xD #x2) #x1))
(assert (= (bvsmod #x3 #xE) #xF))
; expect: sat
(check-sat)
