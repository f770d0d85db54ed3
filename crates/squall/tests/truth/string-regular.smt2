; model: (define-fun x () String "abab")
(declare-const x String)
(assert (str.in_re x (re.+ (str.to_re "ab"))))
(assert (= (str.len x) 4))
; expect: sat
(check-sat)
