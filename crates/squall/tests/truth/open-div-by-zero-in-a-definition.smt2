(define-fun d ((x Int)) Int (div x 0))
(push 1)
(assert (= (d 7) 3))
; expect: sat
(check-sat)
(pop 1)
(declare-const y Int)
(assert (= y 7))
(assert (distinct (d 7) (d y)))
; expect: unsat
(check-sat)
