(set-logic HO_ALL)
(declare-const h (-> Int Bool))
(assert (h 1))
(assert (not (h 2)))
; expect: sat
(check-sat)
(assert (h 2))
; expect: unsat
(check-sat)
