; fp.rem rounds the quotient to the nearest even: 5 - 2*3 = -1.
(define-fun f ((x Real)) Float16 ((_ to_fp 5 11) RNE x))
(assert (= (fp.rem (f 5.0) (f 3.0)) (f (- 1.0))))
; expect: sat
(check-sat)
