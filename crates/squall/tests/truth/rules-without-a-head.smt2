; A rule that derives `false` would make every query true of a wrong reading, and z3 refuses it.
(declare-rel p (Bool))
(declare-rel q ())
(rule (p true))
(rule (=> (p true) false))
; expect: open
(query q)
