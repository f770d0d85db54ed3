(declare-const x (_ FloatingPoint 2 3))
(declare-const y (_ FloatingPoint 2 3))
(declare-const z (_ FloatingPoint 2 3))
(assert (not (fp.isNaN (fp.add RNE (fp.add RNE x y) z))))
(assert (distinct (fp.add RNE (fp.add RNE x y) z) (fp.add RNE x (fp.add RNE y z))))
; expect: sat
(check-sat)
