; model: (define-fun x () Int 100000000000000000000000)
(declare-const x Int)
(assert (> x 99999999999999999999999))
; expect: sat
(check-sat)
