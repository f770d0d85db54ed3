(declare-const a (_ BitVec 2))
(assert (= (bvmul a #b10) #b01))
(check-sat)
