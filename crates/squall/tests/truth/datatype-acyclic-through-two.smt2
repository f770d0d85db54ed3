(declare-datatypes ((T 0) (F 0)) (((node (kids F))) ((none) (some (first T) (rest F)))))
(declare-const t T)
(declare-const f F)
(assert (= t (node f)))
(assert (= f (some t none)))
; expect: unsat
(check-sat)
