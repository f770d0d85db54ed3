; Both are possible, though not at once.
(declare-datatype P ((a (left Bool)) (b)))
(push 1)
(assert (left b))
; expect: sat
(check-sat)
(pop 1)
(push 1)
(assert (not (left b)))
; expect: sat
(check-sat)
(pop 1)
(assert (and (left b) (not (left b))))
; expect: unsat
(check-sat)
