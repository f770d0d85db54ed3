; The orders of z3 ("Special relations" in its guide): what their laws say of operands. Z3 5.4.1 is wrong about the tree order.
(declare-sort A 0)
(declare-const a A)
(declare-const b A)
(declare-const c A)
(define-fun tree ((x A) (y A)) Bool ((_ tree-order 0) x y))
(push 1)
(assert (and (tree a b) (tree b a)))
(assert (not (or (tree a c) (tree c a))))
; expect: sat
(check-sat)
(assert (tree c b))
; expect: unsat
(check-sat)
(pop 1)
; The guide had this the other way round until 2023, and Z3 never did (its issue 6654).
(push 1)
(assert (and (tree b a) (tree c a)))
; expect: sat
(check-sat)
(assert (not (or (tree b c) (tree c b))))
; expect: unsat
(check-sat)
(pop 1)
; Above one value a tree may branch, and a piecewise linear order may not.
(push 1)
(assert (and (tree c a) (tree c b) (not (tree a b)) (not (tree b a))))
; expect: sat
(check-sat)
(pop 1)
(push 1)
(assert (let ((le ((_ piecewise-linear-order 0) c a))) (and le ((_ piecewise-linear-order 0) c b))))
; expect: sat
(check-sat)
(assert (not (or ((_ piecewise-linear-order 0) a b) ((_ piecewise-linear-order 0) b a))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (not (or ((_ linear-order 0) a b) ((_ linear-order 0) b a))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (not (or ((_ partial-order 0) a b) ((_ partial-order 0) b a))))
; expect: sat
(check-sat)
(assert (not ((_ partial-order 0) a a)))
; expect: unsat
(check-sat)
