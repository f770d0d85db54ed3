(declare-const a (Array Int Bool))
(declare-const b (Array Int Bool))
(assert (select ((_ map and) a b) 0))
; expect: open
(check-sat)
(assert (and (select a 0) (not (select a 0))))
; expect: unsat
(check-sat)
