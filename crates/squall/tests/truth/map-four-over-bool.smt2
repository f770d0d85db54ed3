; There are four total functions from Bool to Bool.
(set-logic HO_ALL)
(declare-const a (-> Bool Bool))
(declare-const b (-> Bool Bool))
(declare-const c (-> Bool Bool))
(declare-const d (-> Bool Bool))
(assert (distinct a b c d))
; expect: sat
(check-sat)
(declare-const e (-> Bool Bool))
(assert (distinct a b c d e))
; expect: unsat
(check-sat)
