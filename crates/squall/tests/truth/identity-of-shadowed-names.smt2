; The last definition of a name counts, and only the assertions that stand.
(declare-fun x () Real)
(push 1)
(assert (<= (+ (* x x) 1.0) 2.0))
(define-fun sum () Real (+ (* x x) 1.0 (- 0.0 (+ (* x x) 1.0))))
; expect: sat
(check-sat)
(assert (>= 0.0 (+ (* x x) 1.0)))
; expect: unsat
(check-sat)
(pop 1)
; expect: sat
(check-sat)
(declare-fun z () Int)
(define-fun sum () Int (+ 1 (- z z) (- z (+ z 1))))
(assert (= z z))
; expect: sat
(check-sat)
; expect: unsat
(check-sat-assuming ((distinct x x)))
(assert (>= z (+ z 1)))
; expect: unsat
(check-sat)
