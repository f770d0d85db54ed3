; Of a negative number 1, of another -1.
(declare-const x (_ BitVec 4))
(assert (distinct (bvsdiv x #x0) (ite (bvslt x #x0) #x1 #xF)))
; expect: unsat
(check-sat)
