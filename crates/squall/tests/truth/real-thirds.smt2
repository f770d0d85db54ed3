; model: (define-fun x () Real (/ 1.0 3.0))
(declare-const x Real)
(assert (= (* 3.0 x) 1.0))
; expect: sat
(check-sat)
