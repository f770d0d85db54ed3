; A definition is taken back with its level.
(declare-const p Bool)
(assert p)
(push 1)
(define-fun-rec f ((x Int)) Int (+ (f x) 1))
; expect: unsat
(check-sat)
(pop 1)
; expect: sat
(check-sat)
