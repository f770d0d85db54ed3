; Theories as data: `(set-info :squall-theory "…")` declares sorts and operators that print under their own names.

; case: a sort and an operator are used by name
; expect: prints (set-info :squall-theory "(define-sort Trit () (_ BitVec 2))(define-fun flip ((x Trit)) Trit (bvnot x))")
; expect: prints (declare-fun x () Trit)
; expect: prints (assert (= (flip x) x))
(set-info :squall-theory "(define-sort Trit () (_ BitVec 2))(define-fun flip ((x Trit)) Trit (bvnot x))")
(declare-const x Trit)
(assert (= (flip x) x))

; case: the theory prints as it was read
; expect: prints (set-info :squall-theory "(define-fun one () Int 1)")
; expect: prints (assert (= one 1))
(set-info :squall-theory "(define-fun one () Int 1)")
(assert (= one 1))

; case: a sort of the theory is not its encoding
; expect: error 3:10: `flip` cannot take ((_ BitVec 2)): expected (Trit)
(set-info :squall-theory "(define-sort Trit () (_ BitVec 2))(define-fun flip ((x Trit)) Trit (bvnot x))")
(declare-const x (_ BitVec 2))
(assert (flip x))

; case: an operator may have the name of an indexed identifier
; expect: prints (set-info :squall-theory "(define-fun |(_ at-most 1)| ((p Bool) (q Bool)) Bool (not (and p q)))")
; expect: prints (assert ((_ at-most 1) true false))
(set-info :squall-theory "(define-fun |(_ at-most 1)| ((p Bool) (q Bool)) Bool (not (and p q)))")
(assert ((_ at-most 1) true false))

; case: another index is another name
; expect: prints (set-info :squall-theory "(define-fun |(_ at-most 1)| ((p Bool) (q Bool)) Bool (not (and p q)))")
; expect: prints (assert ((_ at-most 2) true false))
(set-info :squall-theory "(define-fun |(_ at-most 1)| ((p Bool) (q Bool)) Bool (not (and p q)))")
(assert ((_ at-most 2) true false))

; case: a name in another solver means the same, and the standard's dialect has the first one
; expect: prints (set-info :squall-theory "(define-fun flip ((x (_ BitVec 2))) (_ BitVec 2) (bvnot x))(set-info :names (z3 (flip turned)))")
; expect: prints (assert (= (flip #b01) #b10))
(set-info :squall-theory "(define-fun flip ((x (_ BitVec 2))) (_ BitVec 2) (bvnot x))(set-info :names (z3 (flip turned)))")
(assert (= (turned #b01) #b10))

; case: the same theory twice is one
; expect: prints (set-info :squall-theory "(define-sort U () Bool)(define-fun one () Int 1)")
; expect: prints (set-info :squall-theory "(define-sort U () Bool)(define-fun one () Int 1)")
; expect: prints (assert (= one 1))
(set-info :squall-theory "(define-sort U () Bool)(define-fun one () Int 1)")
(set-info :squall-theory "(define-sort U () Bool)(define-fun one () Int 1)")
(assert (= one 1))

; case: a meaning uses earlier operators over the encodings
; expect: prints (set-info :squall-theory "(define-sort N () (_ BitVec 3))(define-fun s ((x N)) N (bvadd x #b001))(define-fun two ((x N)) N (s (s x)))")
; expect: prints (declare-fun x () N)
; expect: prints (assert (= (two x) x))
(set-info :squall-theory "(define-sort N () (_ BitVec 3))(define-fun s ((x N)) N (bvadd x #b001))(define-fun two ((x N)) N (s (s x)))")
(declare-const x N)
(assert (= (two x) x))

; case: a definition that calls itself is none
; expect: error 1:26: in this theory: unknown symbol `f`
(set-info :squall-theory "(define-fun f ((n Int)) Int (f n))")

; case: a theory asserts nothing and contains no theory
; expect: error 1:26: in this theory: unexpected `assert`
(set-info :squall-theory "(assert false)")

; case: a sort of the theory in another sort has no encoding
; expect: error 1:26: in this theory: a sort of the theory inside (Array U Bool)
(set-info :squall-theory "(define-sort U () Bool)(define-fun f ((a (Array U Bool))) Bool (select a true))")

; case: a theory is a string
; expect: error 1:26: unexpected `define`
(set-info :squall-theory define)
