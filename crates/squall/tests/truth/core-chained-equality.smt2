(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= x y z))
(assert (distinct x z))
; expect: unsat
(check-sat)
