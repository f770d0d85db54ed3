; Two elements may have one value.
(set-logic HO_ALL)
(define-fun half ((x Int)) Int (div x 2))
(declare-const s (Set Int))
(assert (set.subset s (set.insert 1 2 3 (set.singleton 4))))
(assert (= (set.map half s) (set.insert 0 (set.singleton 1))))
(assert (= (set.card s) 3))
; expect: sat
(check-sat)
(assert (set.member 4 s))
; expect: unsat
(check-sat)
