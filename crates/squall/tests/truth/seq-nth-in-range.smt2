(declare-const s (Seq Int))
(assert (= s (seq.++ (seq.unit 1) (seq.unit 2))))
(assert (= (seq.nth s 1) 2))
; expect: sat
(check-sat)
(assert (= (seq.nth s 0) 2))
; expect: unsat
(check-sat)
