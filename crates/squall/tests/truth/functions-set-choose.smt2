(set-logic HO_ALL)
(declare-const s (Set Int))
(assert (= s (set.insert 1 (set.singleton 2))))
(assert (= (set.choose s) 1))
; expect: sat
(check-sat)
(assert (= (set.choose (set.insert 2 (set.singleton 1))) 2))
; expect: unsat
(check-sat)
