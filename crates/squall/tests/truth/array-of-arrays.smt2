(declare-const a (Array Bool (Array Bool Bool)))
(assert (distinct (select a true) (select a false)))
(assert (= (select (select a true) true) (select (select a false) true)))
; expect: sat
(check-sat)
(assert (= (select (select a true) false) (select (select a false) false)))
; expect: unsat
(check-sat)
