(declare-const x (_ BitVec 2))
(declare-const y (_ BitVec 2))
(assert (= (bvmul x #b10) #b01))
(check-sat)
