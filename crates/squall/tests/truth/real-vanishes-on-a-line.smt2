; The Whitney umbrella: the polynomial is zero for all z where x and y are.
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (= (* x x) (* y y z)))
(assert (< z 0.0))
; expect: sat
(check-sat)
(assert (distinct y 0.0))
; expect: unsat
(check-sat)
