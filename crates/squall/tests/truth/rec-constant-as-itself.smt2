; Recursive constants are the axioms that they stand for: any element will do, and they were once not counted among the elements.
(declare-sort U 0)
(declare-const d U)
(declare-fun p (U) Bool)
(define-fun-rec c () U c)
(define-fun-rec c2 () U d)
(define-funs-rec ((e () U) (f () U)) (f e))
(push 1)
(assert (distinct c d))
; expect: sat
(check-sat)
(pop 1)
(push 1)
(assert (distinct e d))
; expect: sat
(check-sat)
(pop 1)
(push 1)
(assert (and (p c) (not (p d))))
; expect: sat
(check-sat)
(pop 1)
(push 1)
(assert (distinct e f))
; expect: unsat
(check-sat)
(pop 1)
(assert (distinct c2 d))
; expect: unsat
(check-sat)
