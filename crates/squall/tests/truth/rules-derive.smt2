; What rules derive: `sat` where a fact follows, which is the contrary of the clauses with its negation.
(declare-rel p ((_ BitVec 2) Bool))
(declare-rel q ())
(declare-rel r ())
(declare-var x (_ BitVec 2))
(declare-var b Bool)
(rule (p #b00 true))
(rule (=> (and (p x b) (bvult x #b10)) (p (bvadd x #b01) (not b))))
(rule (=> (p #b10 true) q))
(rule (=> (p #b10 false) r))
; expect: sat
(query q)
; expect: unsat
(query r)
