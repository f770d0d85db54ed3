; `=` is identity and there is one NaN; fp.eq is never true of it.
(declare-const x Float16)
(declare-const y Float16)
(assert (fp.isNaN x))
(assert (fp.isNaN y))
(assert (= x y))
(assert (not (fp.eq x y)))
; expect: sat
(check-sat)
(assert (distinct x y))
; expect: unsat
(check-sat)
