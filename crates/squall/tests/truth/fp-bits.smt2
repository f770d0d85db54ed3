(declare-const x (_ BitVec 16))
(assert (= ((_ to_fp 5 11) x) ((_ to_fp 5 11) RNE 1.5)))
; expect: sat
(check-sat)
(assert (distinct x #x3E00))
; expect: unsat
(check-sat)
