; 9 is not 3 by 2.
; model: (define-fun x () Int 2)
(declare-const x Int)
(assert (= (* x x) 9))
(assert (< 3 x))
; expect: unsat
(check-sat)
