(declare-datatype L ((nil) (cons (head Bool) (tail L))))
(define-fun-rec size ((l L)) Int (+ 1 (size l)))
(declare-const p Bool)
(assert p)
; expect: unsat
(check-sat)
