; A fold begins with the first element: ((1 - 3) - 5).
(declare-const s (Seq Int))
(assert (= s (seq.++ (seq.unit 3) (seq.unit 5))))
(declare-const r Int)
(assert (<= (- 10) r 10))
(assert (= r (seq.foldl (lambda ((a Int) (x Int)) (- (* 2 a) x)) 1 s)))
; expect: sat
(check-sat)
(assert (distinct r (- 7)))
; expect: unsat
(check-sat)
