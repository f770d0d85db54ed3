; Positions count from the given one: 5*3 + 6*4, and the sequence of 5+3 and 6+4.
(declare-const s (Seq Int))
(assert (= s (seq.++ (seq.unit 3) (seq.unit 4))))
(assert (= 39 (seq.foldli (lambda ((i Int) (a Int) (x Int)) (+ a (* i x))) 5 0 s)))
(assert (= (seq.mapi (lambda ((i Int) (x Int)) (+ i x)) 5 s) (seq.++ (seq.unit 8) (seq.unit 10))))
; expect: sat
(check-sat)
(assert (= (seq.map (lambda ((x Int)) (* x x)) s) (seq.++ (seq.unit 16) (seq.unit 9))))
; expect: unsat
(check-sat)
