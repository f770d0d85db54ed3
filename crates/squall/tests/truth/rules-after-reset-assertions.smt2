; z3 keeps the variable, so that this rule is about it, and not about the constant.
(declare-var x Bool)
(reset-assertions)
(declare-rel q ())
(declare-const x Bool)
(rule (=> x q))
; expect: open
(query q)
