(assert (str.is_digit "7"))
(assert (not (str.is_digit "77")))
(assert (not (str.is_digit "")))
; expect: sat
(check-sat)
