(define-funs-rec ((even ((x Int)) Bool) (odd ((x Int)) Bool))
  ((ite (= x 0) true (odd (- x 1))) (ite (= x 0) false (even (- x 1)))))
(push 1)
(assert (even 4))
; expect: sat
(check-sat)
(pop 1)
(assert (odd 4))
; expect: unsat
(check-sat)
