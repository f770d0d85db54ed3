; Each is false at 0. A function given by a body was taken for the value of the symbol that the body mentions, and equal to itself.
(declare-const a (Array Int Bool))
(declare-const f (-> Int Bool))
(declare-const g (-> Int Bool))
(push 1)
(assert (= a (lambda ((x Int)) (not (select a x)))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (= f (lambda ((x Int)) (not (f x)))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (= f (store f 0 (not (f 0)))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (= g (lambda ((x Int)) (not (f x)))))
(assert (= f (lambda ((x Int)) (g x))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (= g (lambda ((x Int)) (not (f x)))))
; expect: sat
(check-sat)
(pop 1)
