(declare-datatype N ((zero) (succ (pred N))))
(declare-const x N)
(declare-const y N)
(assert (= (succ x) (succ y)))
(assert (distinct x y))
; expect: unsat
(check-sat)
