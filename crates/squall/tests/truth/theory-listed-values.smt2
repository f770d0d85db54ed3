; A sort with three listed values of an integer has no fourth, and all results are of the three.
(set-info :squall-theory "(declare-datatypes ((Tri!code 0)) (((Tri!0)(Tri!1)(Tri!2))))(define-fun Tri!decode ((x Tri!code)) Int (ite (= x Tri!1) 1 (ite (= x Tri!2) 2 0)))(define-fun Tri!encode ((x Int)) Tri!code (ite (= x 1) Tri!1 (ite (= x 2) Tri!2 Tri!0)))(define-sort Tri () Int)(define-fun yes () Tri 2)(define-fun maybe () Tri 1)(define-fun both ((a Tri) (b Tri)) Tri (ite (< a b) a b))(define-fun no ((a Tri)) Tri (- 2 a))")
(declare-const a Tri)
(declare-const b Tri)
(push 1)
(assert (distinct a yes maybe (no yes)))
; expect: unsat
(check-sat)
(pop 1)
(assert (= a (no a)))
(assert (forall ((c Tri)) (or (= (both a c) c) (= c yes) (= c maybe))))
(assert (distinct (both a b) b))
; expect: sat
(check-sat)
