(set-logic HO_ALL)
(assert (= (set.choose (as set.empty (Set Int))) 3))
; expect: open
(check-sat)
