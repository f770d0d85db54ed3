; Three pigeons, two holes.
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (distinct a b))
(assert (distinct b c))
; expect: sat
(check-sat)
(assert (distinct a c))
; expect: unsat
(check-sat)
