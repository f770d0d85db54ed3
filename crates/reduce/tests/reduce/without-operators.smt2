; Scripts without an operator: each application is replaced by a table of its values. Their answers stay.

; given:
(declare-const b Bool)
(declare-const x (_ BitVec 2))
(declare-const n Int)
(assert (<= 0 n 2))

; case: operators are replaced and answers stay
; without: bvmul
; expect: answer unsat
(assert (= (bvmul x x) #b10))
(check-sat)

; without: bvmul
; expect: answer sat
(assert (= (bvmul x #b11) #b10))
(check-sat)

; without: mod div
; expect: answer unsat
(assert (> (mod n 2) 0))
(assert (= (div n 2) 1))
(check-sat)

; without: bvmul
; expect: answer sat
(assert (= (bvmul (bvmul x x) x) #b11))
(check-sat)

; The argument stays, so that an error in it is not hidden.
; without: bvmul
; expect: answer unsat
(assert (= (bvmul (bvudiv x #b10) #b10) #b11))
(check-sat)

; Bound variables of few values, and levels.
; without: bvmul
; expect: answer sat
(assert (forall ((y (_ BitVec 2))) (= (bvmul x y) #b00)))
(push 1)
(assert b)
(check-sat)
(pop 1)

; without: set.inter
; expect: answer unsat
(assert (set.member n (set.inter (set.singleton 1) (set.singleton n))))
(assert (= n 0))
(check-sat)

; case: what may have many values stays
; without: *
; expect: stays
(declare-const m Int)
(assert (= (* m m) 2))
(check-sat)

; without: bvmul
; expect: stays
(declare-fun f ((_ BitVec 2)) (_ BitVec 2))
(assert (= (bvmul (f x) x) x))
(check-sat)

; without: bvmul
; expect: stays
(define-fun f () (_ BitVec 2) (bvmul x x))
(assert (= f x))
(check-sat)

; without: *
; expect: stays
(assert (forall ((m Int)) (= (* m n) 0)))
(check-sat)

; case: the operator does not occur, or its value is the solver's to choose
; without: bvmul
; expect: stays
(assert b)
(check-sat)

; without: div
; expect: stays
(assert (= (div n 0) 1))
(check-sat)

; without: bvmul
; expect: stays
(assert b)
