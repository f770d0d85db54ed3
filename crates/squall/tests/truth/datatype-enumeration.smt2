(declare-datatype E ((r) (g) (b)))
(declare-const x E)
(declare-const y E)
(declare-const z E)
(assert (distinct x y z))
; expect: sat
(check-sat)
(declare-const w E)
(assert (distinct x y z w))
; expect: unsat
(check-sat)
