; Legal for z3 and cvc5, though each symbol may be declared once.
(declare-datatype A ((a (get Int))))
(declare-datatype B ((b (get Bool))))
(assert (= (get (a 3)) 3))
(assert (get (b true)))
; expect: sat
(check-sat)
(assert (not (get (b true))))
; expect: unsat
(check-sat)
