; In two bits nothing is its own successor.
; model: (define-fun p () Bool true)
(define-fun-rec f ((x (_ BitVec 2))) (_ BitVec 2) (bvadd (f x) #b01))
(declare-const p Bool)
(assert p)
; expect: unsat
(check-sat)
