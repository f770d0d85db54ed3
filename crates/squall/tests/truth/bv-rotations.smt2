(declare-const x (_ BitVec 4))
(assert (distinct ((_ rotate_left 5) x) ((_ rotate_right 3) x)))
; expect: unsat
(check-sat)
