(declare-const s (Seq Bool))
(assert (seq.contains (seq.++ (seq.unit true) (seq.unit false)) s))
(assert (= (seq.len s) 2))
; expect: sat
(check-sat)
(assert (distinct s (seq.++ (seq.unit true) (seq.unit false))))
; expect: unsat
(check-sat)
