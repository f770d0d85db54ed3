; The constant array of true and one store differ at one place alone.
(declare-const i (_ BitVec 2))
(define-fun a () (Array (_ BitVec 2) Bool) ((as const (Array (_ BitVec 2) Bool)) true))
(assert (= (store a i false) ((as const (Array (_ BitVec 2) Bool)) false)))
; expect: unsat
(check-sat)
