(define-fun-rec f ((x (_ BitVec 2))) (_ BitVec 2) (bvnot (f x)))
(declare-const y (_ BitVec 2))
(assert (= y y))
; expect: unsat
(check-sat)
