(set-logic HO_ALL)
(declare-const s (Set Int))
(assert (set.subset s (set.insert 1 2 (set.singleton 4))))
(assert (= 5 (set.fold (lambda ((x Int) (sum Int)) (+ x sum)) 0 s)))
; expect: sat
(check-sat)
(assert (set.member 2 s))
; expect: unsat
(check-sat)
