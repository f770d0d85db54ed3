(declare-const x Int)
(assert ((_ divisible 6) x))
(assert (not ((_ divisible 3) x)))
; expect: unsat
(check-sat)
