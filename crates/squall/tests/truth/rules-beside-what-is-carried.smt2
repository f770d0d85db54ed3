; What is only carried as text may be an axiom of the rules: here it says that there is a fact of `p`.
(declare-rel p (Bool))
(declare-rel q ())
(declare-var x Bool)
(rule (=> (p x) q))
(assert (p x))
; expect: open
(query q)
