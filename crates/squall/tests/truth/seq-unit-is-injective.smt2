(declare-const x Int)
(declare-const y Int)
(assert (= (seq.unit x) (seq.unit y)))
(assert (distinct x y))
; expect: unsat
(check-sat)
