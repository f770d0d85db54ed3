; Rules of z3: relations, variables, clauses and queries.

; case: rules are read with their variables bound
; given:
(declare-rel p (Int (_ BitVec 2)))
(declare-rel q ())
(declare-var n Int)
(declare-var |b c| (_ BitVec 2))

; expect: same
(query p)

; expect: same
(query q)

; expect: same
(rule q named)

; expect: same
(rule (=> (< n 3) (p n |b c|)) |a rule|)

; A name that is bound again is another variable.
; expect: same
(rule (=> (forall ((n Bool)) n) (p n #b00)))

; expect: same
(rule (forall ((n Int)) (p n #b00)))

; expect: same
(rule (forall ((m Int)) (p m #b00)))

; Elsewhere a variable is a constant, which z3 need not connect with the rules.
; expect: same
; expect: carried 1
(assert (= n 0))

; case: what is no relation, or on a level, is carried
; given:
(declare-fun f (Int) Bool)
(declare-rel p (Int))

; expect: same
; expect: carried 1
(query f)

; expect: same
; expect: carried 1
(query (p 1))

; expect: same
; expect: carried 1
(query p :print-certificate true)

; expect: same
; expect: carried 1
(rule (p true))

; expect: same
; expect: carried 2
(push 1)
(declare-rel r (Int))
(rule (p 1))

; expect: same
; expect: carried 1
(declare-rel s (Int) interval_relation)
