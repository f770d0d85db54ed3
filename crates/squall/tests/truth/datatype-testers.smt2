(declare-datatype O ((none) (some (value Int))))
(declare-const x O)
(assert (not ((_ is none) x)))
(assert (distinct x (some (value x))))
; expect: unsat
(check-sat)
