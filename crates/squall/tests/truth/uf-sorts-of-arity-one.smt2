(declare-sort Box 1)
(declare-const a (Box Int))
(declare-const b (Box Int))
(declare-fun f ((Box Int)) Bool)
(assert (distinct (f a) (f b)))
; expect: sat
(check-sat)
(assert (= a b))
; expect: unsat
(check-sat)
