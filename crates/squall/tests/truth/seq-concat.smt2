(declare-const s (Seq Int))
(declare-const t (Seq Int))
(assert (distinct (seq.len (seq.++ s t)) (+ (seq.len s) (seq.len t))))
; expect: unsat
(check-sat)
