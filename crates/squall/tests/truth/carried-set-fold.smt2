(set-logic HO_ALL)
(declare-const s (Set Int))
(assert (= 3 (set.fold (lambda ((a Int) (b Int)) (+ a b)) 0 s)))
; expect: open
(check-sat)
