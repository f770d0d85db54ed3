; model: (define-fun p () Bool true)
(declare-datatype E ((a) (b)))
(define-fun-rec other ((x E)) E (ite (= (other x) a) b a))
(declare-const p Bool)
(assert p)
; expect: unsat
(check-sat)
