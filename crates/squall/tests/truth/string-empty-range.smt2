; A range is empty unless both ends have length one.
(declare-const x String)
(assert (str.in_re x (re.range "ab" "c")))
; expect: unsat
(check-sat)
