; The last element taken is the result, and no order is fixed.
(set-logic HO_ALL)
(declare-const s (Set Int))
(assert (= s (set.insert 1 (set.singleton 2))))
(assert (= 1 (set.fold (lambda ((x Int) (last Int)) x) 0 s)))
; expect: open
(check-sat)
