; Possible in infinite sorts alone, which S may be.
(declare-sort S 0)
(declare-fun f (S) S)
(declare-const a S)
(assert (forall ((x S) (y S)) (=> (= (f x) (f y)) (= x y))))
(assert (forall ((x S)) (distinct (f x) a)))
; expect: sat
(check-sat)
