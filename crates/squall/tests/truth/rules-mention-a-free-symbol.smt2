; A symbol that is no relation has any value, unlike a relation that no rule is about. The least relations once had it false.
(declare-rel q ())
(declare-const b Bool)
(rule (=> b q))
; expect: open
(query q)
