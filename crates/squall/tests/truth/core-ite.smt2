(declare-const p Bool)
(declare-const q Bool)
(assert (distinct (ite p q (not q)) (= p q)))
; expect: unsat
(check-sat)
