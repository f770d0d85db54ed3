; No element of the empty set is even and all are.
(set-logic HO_ALL)
(declare-const s (Set (_ BitVec 2)))
(define-fun even ((x (_ BitVec 2))) Bool (= ((_ extract 0 0) x) #b0))
(assert (set.all even s))
(assert (not (set.some even s)))
; expect: sat
(check-sat)
(assert (not (= s (as set.empty (Set (_ BitVec 2))))))
; expect: unsat
(check-sat)
