; Some array has any value at 0.
(assert (forall ((x Int)) (exists ((a (Array Int Int))) (= (select a 0) x))))
; expect: sat
(check-sat)
