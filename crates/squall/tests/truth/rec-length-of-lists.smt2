(declare-datatype L ((nil) (cons (head Bool) (tail L))))
(define-fun-rec len ((l L)) Int (ite ((_ is nil) l) 0 (+ 1 (len (tail l)))))
(push 1)
(assert (= (len (cons true (cons false nil))) 2))
; expect: sat
(check-sat)
(pop 1)
(assert (= (len (cons true nil)) 2))
; expect: unsat
(check-sat)
