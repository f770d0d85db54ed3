(declare-const x Bool)
(assert (not x))
(assert (let ((x true)) (let ((x (not x)) (y x)) (and y (not x)))))
; expect: sat
(check-sat)
