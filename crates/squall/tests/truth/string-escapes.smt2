(assert (= "\u{41}\u0042" "AB"))
(assert (= (str.len "\u{2FFFF}") 1))
(assert (= (str.len "\x41") 4))
; expect: sat
(check-sat)
