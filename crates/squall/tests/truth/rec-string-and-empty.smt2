(define-fun-rec f ((s String)) String (str.++ (f s) ""))
(declare-const p Bool)
(assert p)
; expect: sat
(check-sat)
