; A sequence that is not empty loses its first element, so that the definition ends.
(define-fun-rec total ((s (Seq Int))) Int
  (ite (= (seq.len s) 0) 0 (+ (seq.nth s 0) (total (seq.extract s 1 (- (seq.len s) 1))))))
(push 1)
(assert (= (total (seq.++ (seq.unit 4) (seq.unit 3))) 7))
; expect: sat
(check-sat)
(pop 1)
(assert (= (total (seq.++ (seq.unit 4) (seq.unit 3))) 8))
; expect: unsat
(check-sat)
