; A lifted function is null where an argument is; the value of null is any.
(set-logic ALL)
(declare-const x (Nullable Bool))
(declare-const y (Nullable Bool))
(define-fun both ((a Bool) (b Bool)) Bool (and a b))
(assert (nullable.is_null ((_ nullable.lift both) x y)))
(assert (nullable.val x))
; expect: sat
(check-sat)
(assert (nullable.is_some x))
(assert (nullable.is_some y))
; expect: unsat
(check-sat)
