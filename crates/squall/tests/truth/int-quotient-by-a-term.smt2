(declare-const a Int)
(declare-const b Int)
(assert (= (div a b) 7))
(assert (= (mod a b) 3))
(assert (< 0 b 6))
; expect: sat
(check-sat)
(assert (< b 4))
; expect: unsat
(check-sat)
