(define-fun-rec f ((s String)) String (str.++ (f s) "a"))
(declare-const p Bool)
(assert p)
; expect: unsat
(check-sat)
