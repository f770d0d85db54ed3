; z3 may keep rules beyond their level, and reads assertions as axioms of rules.
(declare-rel q ())
(push 1)
(rule q)
(pop 1)
; expect: open
(query q)
; expect: open
(check-sat)
