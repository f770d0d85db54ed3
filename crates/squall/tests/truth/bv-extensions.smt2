(assert (= ((_ sign_extend 4) #x8) #xF8))
(assert (= ((_ zero_extend 4) #x8) #x08))
(assert (= ((_ repeat 2) #xA) #xAA))
; expect: sat
(check-sat)
