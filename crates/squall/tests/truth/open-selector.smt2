(declare-datatype L ((nil) (cons (head Int) (tail L))))
(assert (= (head nil) 5))
; expect: sat
(check-sat)
(assert (= (head nil) 6))
; expect: unsat
(check-sat)
