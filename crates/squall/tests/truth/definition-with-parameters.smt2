(define-fun max ((a Int) (b Int)) Int (ite (< a b) b a))
(declare-const x Int)
(declare-const y Int)
(assert (< (max x y) x))
; expect: unsat
(check-sat)
