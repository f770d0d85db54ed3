(declare-const r RoundingMode)
(declare-const x (_ FloatingPoint 2 3))
(declare-const y (_ FloatingPoint 2 3))
(assert (distinct (fp.add r x y) (fp.add r y x)))
; expect: unsat
(check-sat)
