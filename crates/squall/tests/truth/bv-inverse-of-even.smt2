(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (= (bvmul x y) #x1))
; expect: sat
(check-sat)
(assert (= ((_ extract 0 0) x) #b0))
; expect: unsat
(check-sat)
