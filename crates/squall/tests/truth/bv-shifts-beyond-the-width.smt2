(declare-const x (_ BitVec 4))
(assert (or (distinct (bvshl x #x4) #x0) (distinct (bvlshr x #x7) #x0)))
; expect: unsat
(check-sat)
