(declare-const p Bool)
(declare-const q Bool)
(assert ((_ pbeq 2 1 1) p q))
(assert (distinct p q))
; expect: unsat
(check-sat)
