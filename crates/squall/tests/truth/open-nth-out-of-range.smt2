(declare-const s (Seq Int))
(assert (= s (seq.unit 4)))
(assert (= (seq.nth s 7) 9))
; expect: sat
(check-sat)
(assert (= (seq.nth s 7) 8))
; expect: unsat
(check-sat)
