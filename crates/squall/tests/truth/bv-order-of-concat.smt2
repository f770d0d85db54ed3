(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (distinct ((_ extract 7 4) (concat x y)) x))
; expect: unsat
(check-sat)
