(declare-datatype N ((zero) (succ (pred N))))
(declare-const x N)
(assert (= (succ x) zero))
; expect: unsat
(check-sat)
