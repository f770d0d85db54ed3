(declare-const f (_ FloatingPoint 5 11))
(assert (fp.isNaN f))
(assert (distinct ((_ fp.to_sbv 4) RNE f) ((_ fp.to_sbv 4) RNE (_ NaN 5 11))))
; expect: unsat
(check-sat)
