; A definition means its body on the heap of the call, and `let` and :named mean what they stand for.
(set-logic ALL)
(declare-datatype L ((a) (b) (c)))
(declare-heap (L Bool))
(define-fun cell ((l L)) Bool (pto l true))
(declare-const x L)
(declare-const y L)
(assert (! (sep (cell x) (cell y)) :named two))
(assert (let ((e sep.emp)) (or e two)))
; expect: sat
(check-sat)
(assert (or (cell x) (= x y)))
; expect: unsat
(check-sat)
