; The root of a negative number is a value that an interpretation chooses, once for each number.
(set-logic ALL)
(assert (distinct (sqrt (- 1.0)) (sqrt (- 1.0))))
; expect: unsat
(check-sat)
