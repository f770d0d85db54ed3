(declare-const x String)
(assert (not (str.contains x x)))
; expect: unsat
(check-sat)
