(declare-const x Int)
(define-fun f ((x Int)) Int (* x x))
(assert (= x 3))
(assert (= (f 2) 9))
; expect: unsat
(check-sat)
