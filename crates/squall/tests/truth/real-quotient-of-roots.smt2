(declare-const x Real)
(declare-const y Real)
(assert (= (* x x) 8.0))
(assert (= (* y y) 2.0))
(assert (distinct (/ x y) 2.0))
(assert (distinct (/ x y) (- 2.0)))
; expect: unsat
(check-sat)
