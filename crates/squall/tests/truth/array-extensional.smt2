(declare-const a (Array Bool Bool))
(declare-const b (Array Bool Bool))
(assert (= (select a true) (select b true)))
(assert (= (select a false) (select b false)))
; expect: sat
(check-sat)
(assert (distinct a b))
; expect: unsat
(check-sat)
