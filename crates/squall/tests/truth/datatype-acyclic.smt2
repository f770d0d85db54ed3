(declare-datatype L ((nil) (cons (head Int) (tail L))))
(declare-const x L)
(assert (= x (cons 1 x)))
; expect: unsat
(check-sat)
