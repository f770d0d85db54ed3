; Only digits are read, and the empty string is none.
(assert (= (str.to_int "") (- 1)))
(assert (= (str.to_int "-1") (- 1)))
(assert (= (str.to_int "007") 7))
; expect: sat
(check-sat)
