(declare-const x (_ BitVec 4))
(assert (= x ((_ fp.to_ubv 4) RTZ ((_ to_fp 5 11) RTZ 20.0))))
(assert (= x #x3))
; expect: sat
(check-sat)
