(declare-const s (Seq Int))
(assert (= 3 (seq.foldl (lambda ((a Int) (b Int)) (+ a b)) 0 s)))
; expect: open
(check-sat)
