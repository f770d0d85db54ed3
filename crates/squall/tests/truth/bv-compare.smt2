(declare-const x (_ BitVec 2))
(assert (= (bvcomp x (bvnot x)) #b1))
; expect: unsat
(check-sat)
