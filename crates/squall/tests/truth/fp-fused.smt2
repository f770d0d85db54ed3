; One rounding: (1+e)(1+e) - (1+2e) is e squared.
(define-fun x () Float16 ((_ to_fp 5 11) RNE 1.0009765625))
(define-fun y () Float16 ((_ to_fp 5 11) RNE (- 1.001953125)))
(assert (= (fp.add RNE (fp.mul RNE x x) y) (_ +zero 5 11)))
(assert (fp.isZero (fp.fma RNE x x y)))
; expect: unsat
(check-sat)
