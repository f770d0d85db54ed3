(declare-const x (_ BitVec 3))
(declare-const y (_ BitVec 3))
(declare-const z (_ BitVec 3))
(assert (distinct (bvmul x (bvadd y z)) (bvadd (bvmul x y) (bvmul x z))))
; expect: unsat
(check-sat)
