(declare-const c Int)
(declare-const c Bool)
(assert (= (as c Int) 3))
(assert (as c Bool))
; expect: sat
(check-sat)
(assert (not (as c Bool)))
; expect: unsat
(check-sat)
