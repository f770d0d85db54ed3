(declare-const a (Set Int))
(assert (= a (set.insert 1 2 2 (set.singleton 1))))
(assert (= (set.card a) 2))
; expect: sat
(check-sat)
(assert (= (set.card a) 3))
; expect: unsat
(check-sat)
