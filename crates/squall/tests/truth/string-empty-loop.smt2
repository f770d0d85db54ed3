; A loop whose first bound is greater accepts nothing.
(declare-const x String)
(assert (str.in_re x ((_ re.loop 3 2) (str.to_re "a"))))
; expect: unsat
(check-sat)
