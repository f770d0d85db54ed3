; The standard leaves the conversion of NaN open, so that #x07 is one of its values.
(define-fun a () (_ BitVec 8) ((_ fp.to_ubv 8) RNE (_ NaN 8 24)))
(assert (= a #x07))
; expect: sat
(check-sat)
(assert (= a #x08))
; expect: unsat
(check-sat)
