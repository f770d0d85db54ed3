; The first a would have to move through b.
(declare-const x String)
(assert (= (str.++ "a" x) (str.++ x "b")))
; expect: unsat
(check-sat)
