; model: (define-fun p () Bool true)
(define-fun-rec c () Int (+ c 1))
(declare-const p Bool)
(assert p)
; expect: unsat
(check-sat)
