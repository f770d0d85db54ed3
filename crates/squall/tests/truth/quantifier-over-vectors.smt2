(assert (forall ((x (_ BitVec 3))) (exists ((y (_ BitVec 3))) (= (bvadd x y) #b000))))
; expect: sat
(check-sat)
(assert (exists ((y (_ BitVec 3))) (forall ((x (_ BitVec 3))) (= (bvadd x y) #b000))))
; expect: unsat
(check-sat)
