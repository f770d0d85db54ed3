(assert (= (str.substr "abcd" 1 2) "bc"))
(assert (= (str.substr "abcd" 3 9) "d"))
(assert (= (str.substr "abcd" 4 1) ""))
(assert (= (str.substr "abcd" (- 1) 2) ""))
(assert (= (str.substr "abcd" 1 0) ""))
; expect: sat
(check-sat)
