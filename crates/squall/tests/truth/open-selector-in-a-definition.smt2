(declare-datatype O ((none) (some (value Bool))))
(define-fun v () Bool (value none))
(push 1)
(assert v)
; expect: sat
(check-sat)
(pop 1)
(assert (not v))
; expect: sat
(check-sat)
(assert v)
; expect: unsat
(check-sat)
