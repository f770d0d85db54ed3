; The function is an element of a sequence.
(declare-const s (Seq (-> Int Bool)))
(assert (= s (seq.unit (lambda ((x Int)) (not ((seq.nth s 0) x))))))
; expect: unsat
(check-sat)
