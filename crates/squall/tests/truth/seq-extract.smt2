(assert (= (seq.extract (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 3)) 1 5) (seq.++ (seq.unit 2) (seq.unit 3))))
; expect: sat
(check-sat)
