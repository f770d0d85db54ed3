(declare-const n Int)
(assert (= (str.from_int n) ""))
; expect: sat
(check-sat)
(assert (>= n 0))
; expect: unsat
(check-sat)
