; x + -x is +0, and -0 only where rounding goes down.
(declare-const x (_ FloatingPoint 3 4))
(assert (not (fp.isNaN x)))
(assert (not (fp.isInfinite x)))
(push 1)
(assert (distinct (fp.add RNE x (fp.neg x)) (_ +zero 3 4)))
; expect: unsat
(check-sat)
(pop 1)
(assert (distinct (fp.add RTN x (fp.neg x)) (_ -zero 3 4)))
; expect: unsat
(check-sat)
