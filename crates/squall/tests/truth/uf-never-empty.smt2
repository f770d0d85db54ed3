; No sort is empty.
(declare-sort S 0)
(declare-fun p (S) Bool)
(assert (forall ((x S)) (p x)))
(assert (not (exists ((x S)) (p x))))
; expect: unsat
(check-sat)
