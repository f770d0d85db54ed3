(assert (= (str.indexof "abcabc" "c" 3) 5))
(assert (= (str.indexof "abc" "" 3) 3))
(assert (= (str.indexof "abc" "" 4) (- 1)))
(assert (= (str.indexof "abc" "a" (- 1)) (- 1)))
; expect: sat
(check-sat)
