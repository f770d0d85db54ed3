(assert (str.in_re "aaa" ((_ re.loop 2 3) (str.to_re "a"))))
(assert (not (str.in_re "aaaa" ((_ re.loop 2 3) (str.to_re "a")))))
; expect: sat
(check-sat)
