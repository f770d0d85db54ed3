; The inner x is the symbol, not the variable bound beside it.
(declare-const x Bool)
(assert x)
(assert (let ((x false) (y x)) (or x (not y))))
; expect: unsat
(check-sat)
