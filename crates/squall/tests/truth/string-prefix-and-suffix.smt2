(declare-const x String)
(assert (str.prefixof "ab" x))
(assert (str.suffixof "ba" x))
(assert (= (str.len x) 3))
; expect: sat
(check-sat)
(assert (distinct x "aba"))
; expect: unsat
(check-sat)
