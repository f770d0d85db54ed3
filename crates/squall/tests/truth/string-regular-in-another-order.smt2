; model: (define-fun x () String "abab")
(declare-const x String)
(assert (str.in_re x (re.+ (str.to_re "ab"))))
(assert (str.in_re x (re.* (str.to_re "ba"))))
; expect: unsat
(check-sat)
