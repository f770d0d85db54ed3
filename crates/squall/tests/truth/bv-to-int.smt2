; model: (define-fun x () (_ BitVec 4) #xE)
(declare-const x (_ BitVec 4))
(assert (= (ubv_to_int x) 14))
(assert (= (sbv_to_int x) (- 2)))
(assert (= ((_ int_to_bv 4) (- 2)) x))
; expect: sat
(check-sat)
