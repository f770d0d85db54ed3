; Both square roots of two are tried, and neither is a cube root of three. Only an equation in one unknown confines it.
(declare-fun x () Real)
(assert (= (* x x) 2.0))
(assert (or (= (* x x x) 3.0) (is_int (* x x x x x))))
; expect: unsat
(check-sat)
