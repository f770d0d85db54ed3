; A sum of squares is not negative; one over two elements may be 5.
(set-logic HO_ALL)
(define-fun squares ((s (Set Int))) Int (set.fold (lambda ((x Int) (sum Int)) (+ (* x x) sum)) 0 s))
(assert (exists ((s (Set Int))) (and (set.subset s (set.insert (- 1) 2 (set.singleton 3))) (= (squares s) 5))))
; expect: sat
(check-sat)
(assert (not (forall ((s (Set Int))) (=> (set.subset s (set.insert (- 1) 2 (set.singleton 3))) (>= (squares s) 0)))))
; expect: unsat
(check-sat)
