(assert (= (bvsdiv #x8 #xF) #x8))
(assert (= (bvsrem #x8 #xF) #x0))
; expect: sat
(check-sat)
