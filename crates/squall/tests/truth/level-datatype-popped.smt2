(push 1)
(declare-datatype E ((a) (b)))
(declare-const x E)
(assert (distinct x a b))
; expect: unsat
(check-sat)
(pop 1)
(declare-datatype E ((a) (b) (c)))
(declare-const x E)
(assert (distinct x a b))
; expect: sat
(check-sat)
