; The x of the definition is the symbol, whatever binds x where it is used.
(declare-const x Int)
(define-fun f ((y Int)) Int (+ x y))
(assert (= x 1))
(push 1)
(assert (let ((x 5)) (= (f x) 6)))
; expect: sat
(check-sat)
(pop 1)
(assert (let ((x 5)) (= (f x) 10)))
; expect: unsat
(check-sat)
