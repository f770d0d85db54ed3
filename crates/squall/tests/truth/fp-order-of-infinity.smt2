(declare-const x Float16)
(assert (fp.gt x (_ +oo 5 11)))
; expect: unsat
(check-sat)
