; The closure has what steps lead to, and nothing else: a cycle reaches itself.
(set-logic ALL)
(declare-datatype E ((a) (b) (c)))
(declare-const r (Relation E E))
(declare-const x E)
(declare-const y E)
(assert (= r (set.union (set.singleton (tuple a b)) (set.singleton (tuple b a)) (set.singleton (tuple b c)))))
(assert (set.member (tuple x x) (rel.tclosure r)))
; expect: sat
(check-sat)
(assert (= x c))
; expect: unsat
(check-sat)
