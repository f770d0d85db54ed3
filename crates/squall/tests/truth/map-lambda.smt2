(set-logic HO_ALL)
(declare-const h (-> Int Int))
(assert (= h (lambda ((x Int)) (+ x 1))))
(push 1)
(assert (= (h 1) 2))
; expect: sat
(check-sat)
(pop 1)
(assert (distinct (h 1) 2))
; expect: unsat
(check-sat)
