; bvudiv by 0 is all ones, bvurem by 0 its first argument.
(declare-const x (_ BitVec 4))
(assert (or (distinct (bvudiv x #x0) #xF) (distinct (bvurem x #x0) x)))
; expect: unsat
(check-sat)
