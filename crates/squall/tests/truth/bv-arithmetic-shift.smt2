(assert (= (bvashr #x9 #x2) #xE))
(assert (= (bvashr #x9 #xF) #xF))
; expect: sat
(check-sat)
