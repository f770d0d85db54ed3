(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (distinct a b c))
; expect: unsat
(check-sat)
