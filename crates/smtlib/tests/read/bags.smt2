; Bags.

; given:
(declare-const b (Bag Int))
(declare-const q (Bag (Bag Int)))
(declare-const n Int)

; case: bags
; expect: same
(assert (= b (as bag.empty (Bag Int))))

; expect: same
(assert (= q (bag b n)))

; expect: same
(assert (= q (bag (bag 1 2) (- 3))))

; expect: same
(assert (= (bag.union_max b b) (bag.union_disjoint b b b)))

; expect: same
(assert (distinct (bag.inter_min b b b) (bag.difference_subtract b b) (bag.difference_remove b b)))

; expect: same
(assert (= (bag.count (bag.choose b) b) (bag.card (bag.setof b))))

; expect: same
(assert (=> (bag.subbag b b) (bag.member n b)))

; As cvc5 1.0 spells it.
; expect: prints (assert (= b (bag.setof b)))
(assert (= b (bag.duplicate_removal b)))

; given:

; `bag` is a common name: a file may declare it, and the sort, itself.
; expect: same
(declare-fun bag (Int Int) Int)
(assert (= (bag 1 2) 3))

; expect: prints (declare-sort Bag 0)
; expect: prints (declare-fun b () Bag)
(declare-sort Bag 0)
(declare-const b Bag)

; given:
(declare-const b (Bag Int))
(declare-const q (Bag (Bag Int)))
(declare-const n Int)

; What is not understood is carried: operators with functions, and tables, which are bags of tuples.
; expect: same
(assert (= (bag.map (lambda ((x Int)) x) b) b))

; expect: same
(assert (= (bag.filter (lambda ((x Int)) true) b) b))

; expect: same
(assert (= (bag.fold (lambda ((x Int) (y Int)) x) 0 b) 0))

; expect: same
; expect: carried 1
(assert (= b bag.empty))

; expect: same
; expect: carried 1
(assert (bag.is_singleton b))

; A table is a bag of tuples.
; expect: prints (assert (= (bag.card (as bag.empty (Bag (Tuple Int Int)))) 0))
(assert (= (bag.card (as bag.empty (Table Int Int))) 0))

; expect: same
(assert (= (bag.card (bag (tuple 1 2) 3)) 3))

; expect: prints (assert (= ((_ table.project 0) (bag (tuple 1 2) 3)) (bag (tuple 1) 3)))
(assert (= ((_ table.project 0) (bag (tuple 1 2) 3)) (bag (tuple 1) 3)))

; given:

; expect: error 1:19: this sort is given 2 arguments | expected an element sort
(declare-const b (Bag Int Int))

; expect: error 1:18: this sort is given 0 arguments | expected an element sort
(declare-const b Bag)

; expect: error 1:13: the empty bag takes no terms
(assert (= ((as bag.empty (Bag Int)) 1) 1))

; expect: error 1:16: `as bag.empty` cannot take ((Set Int)): expected a sort (Bag A)
(assert (= (as bag.empty (Set Int)) (as set.empty (Set Int))))

; given:
(declare-const b (Bag Int))
(declare-const q (Bag (Bag Int)))
(declare-const n Int)

; expect: error 1:10: `bag.member` cannot take (Bool (Bag Int)): expected (A (Bag A))
(assert (bag.member true b))

; expect: error 1:15: `bag` cannot take (Int Real): expected (A Int)
(assert (= b (bag 1 2.0)))

; expect: error 1:15: `bag` cannot take (Int): expected (A Int)
(assert (= b (bag 1)))

; expect: error 1:15: `bag.union_max` cannot take ((Bag Int) (Bag (Bag Int))): expected ((Bag A) (Bag A) …)
(assert (= b (bag.union_max b q)))

; expect: error 1:10: `bag.subbag` cannot take ((Bag Int) (Bag Int) (Bag Int)): expected ((Bag A) (Bag A))
(assert (bag.subbag b b b))

; expect: error 1:10: `bag.subbag` cannot take ((Bag Int)): expected ((Bag A) (Bag A))
(assert (bag.subbag b))
