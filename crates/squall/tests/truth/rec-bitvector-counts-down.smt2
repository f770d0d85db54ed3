; A vector that is not 0 gets smaller by 1, so that the definition ends: 3 + 2 + 1 is 6.
(define-fun-rec sum ((n (_ BitVec 3))) (_ BitVec 3) (ite (= n #b000) #b000 (bvadd n (sum (bvsub n #b001)))))
(push 1)
(assert (= (sum #b011) #b110))
; expect: sat
(check-sat)
(pop 1)
(assert (= (sum #b011) #b111))
; expect: unsat
(check-sat)
