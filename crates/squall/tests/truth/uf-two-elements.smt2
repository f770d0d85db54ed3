(declare-sort S 0)
(declare-const a S)
(declare-const b S)
(assert (distinct a b))
(assert (forall ((x S)) (or (= x a) (= x b))))
; expect: sat
(check-sat)
(assert (exists ((x S)) (and (distinct x a) (distinct x b))))
; expect: unsat
(check-sat)
