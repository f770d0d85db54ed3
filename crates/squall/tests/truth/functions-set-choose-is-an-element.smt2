(set-logic HO_ALL)
(declare-const s (Set Int))
(assert (= s (set.insert 1 (set.singleton 2))))
(assert (= (set.choose s) 3))
; expect: unsat
(check-sat)
