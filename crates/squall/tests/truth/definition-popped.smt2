(declare-const x Int)
(push 1)
(define-fun f () Int 1)
(assert (= x f))
(pop 1)
(define-fun f () Int 2)
(assert (= x f))
; expect: sat
(check-sat)
(assert (= x 1))
; expect: unsat
(check-sat)
