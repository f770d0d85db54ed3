; f = 3f modulo 4, so that 2f = 0.
(define-fun-rec f ((x (_ BitVec 2))) (_ BitVec 2) (bvmul (f x) #b11))
(assert (= (f #b00) #b10))
; expect: sat
(check-sat)
(assert (= (f #b01) #b01))
; expect: unsat
(check-sat)
