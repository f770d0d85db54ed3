(declare-const x String)
(assert (str.in_re x (re.inter (re.comp (re.* re.allchar)) re.all)))
; expect: unsat
(check-sat)
