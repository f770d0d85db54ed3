(push 1)
(declare-const x Bool)
(assert (not x))
(pop 1)
(declare-const x Int)
(assert (= x 3))
; expect: sat
(check-sat)
