(define-const c Int 4)
(declare-const x Int)
(assert (= (* x x) c))
(assert (< x 0))
; model: (define-fun x () Int (- 2))
; expect: sat
(check-sat)
