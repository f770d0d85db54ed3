; Its element 0 would be its own successor.
(define-fun-rec f ((x Int)) (Array Int Int) (store (f x) 0 (+ 1 (select (f x) 0))))
(declare-const p Bool)
(assert p)
; expect: unsat
(check-sat)
