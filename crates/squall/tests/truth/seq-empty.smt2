(declare-const s (Seq Int))
(assert (= (seq.len s) 0))
(assert (distinct s (as seq.empty (Seq Int))))
; expect: unsat
(check-sat)
