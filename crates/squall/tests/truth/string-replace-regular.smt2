; The shortest leftmost match, which may be empty.
(assert (= (str.replace_re "abaab" (re.+ (str.to_re "a")) "c") "cbaab"))
(assert (= (str.replace_re_all "abaab" (re.+ (str.to_re "a")) "c") "cbccb"))
; expect: sat
(check-sat)
