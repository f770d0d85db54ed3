(declare-const a (Set Int))
(declare-const b (Set Int))
(declare-const x Int)
(assert (set.member x a))
(assert (not (set.member x (set.union a b))))
; expect: unsat
(check-sat)
