(declare-sort S 0)
(declare-const a S)
(declare-const b S)
(assert (forall ((x S) (y S)) (= x y)))
; expect: sat
(check-sat)
(assert (distinct a b))
; expect: unsat
(check-sat)
