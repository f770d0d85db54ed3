(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (distinct (xor a b c) (xor a (xor b c))))
; expect: unsat
(check-sat)
