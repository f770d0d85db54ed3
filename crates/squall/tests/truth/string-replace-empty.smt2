; The empty string is found at the beginning.
(assert (= (str.replace "abc" "" "x") "xabc"))
; expect: sat
(check-sat)
(assert (= (str.replace_all "abc" "" "x") "xaxbxc"))
; expect: unsat
(check-sat)
