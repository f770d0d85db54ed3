(declare-datatype Pair (par (X Y) ((pair (first X) (second Y)))))
(declare-const p (Pair Int Bool))
(assert (distinct p (pair (first p) (second p))))
; expect: unsat
(check-sat)
