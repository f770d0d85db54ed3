; A declared predicate, of which one argument is given.
(set-logic HO_ALL)
(declare-fun p (Bool (_ BitVec 2)) Bool)
(declare-const s (Set (_ BitVec 2)))
(assert (= (set.filter (p true) s) (set.singleton #b01)))
; expect: sat
(check-sat)
(assert (not (p true #b01)))
; expect: unsat
(check-sat)
