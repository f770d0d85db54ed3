(declare-const x Int)
(assert (= x 1))
(assert (exists ((x Int)) (= x 2)))
; expect: sat
(check-sat)
(assert (exists ((y Int)) (and (= y x) (= y 2))))
; expect: unsat
(check-sat)
