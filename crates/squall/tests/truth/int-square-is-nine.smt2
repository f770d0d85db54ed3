; model: (define-fun x () Int (- 3))
(declare-const x Int)
(assert (= (* x x) 9))
(assert (< x 0))
; expect: sat
(check-sat)
