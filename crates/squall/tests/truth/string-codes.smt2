(assert (= (str.to_code "A") 65))
(assert (= (str.to_code "AB") (- 1)))
(assert (= (str.from_code 196608) ""))
(assert (= (str.from_code 66) "B"))
; expect: sat
(check-sat)
