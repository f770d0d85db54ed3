; model: (define-fun x () Real 0.3333333333)
(declare-const x Real)
(assert (= (* 3.0 x) 1.0))
(assert (= x 0.3333333333))
; expect: unsat
(check-sat)
