; Tuples, relations, tables and nullable sorts, in the spelling of cvc5.

; given:
(declare-sort Atom 0)
(declare-fun t () (Tuple Int Bool))
(declare-fun u () UnitTuple)
(declare-fun r () (Set (Tuple Int Int)))
(declare-fun s () (Set (Tuple Int)))
(declare-fun q () (Set (Tuple Int Bool Real)))
(declare-fun a () (Set (Tuple Atom)))
(declare-fun n () (Nullable Int))
(declare-fun g (Int) Bool)

; case: tuples
; expect: same
(assert (= t (tuple 1 ((_ tuple.select 1) t))))

; expect: same
(assert (distinct ((_ tuple.update 0) t 5) t))

; expect: same
(assert (= u tuple.unit))

; expect: prints (assert (= u tuple.unit))
(assert (= u (tuple)))

; expect: prints (assert (= u tuple.unit))
(assert (= u (tuple.project t)))

; Projections are tuples of fields.
; expect: prints (assert (= (tuple ((_ tuple.select 1) t) ((_ tuple.select 0) t)) (tuple true 1)))
(assert (= ((_ tuple.project 1 0) t) (tuple true 1)))

; Their names in cvc5 1.0.
; expect: prints (assert ((_ tuple.select 1) ((_ tuple.update 0) t 5)))
(assert ((_ tuple_select 1) ((_ tuple_update 0) t 5)))

; expect: same
; expect: check 0: - 9 declared, [((_ tuple.select 1) t)] -
(assert ((_ tuple.select 1) t))
(check-sat)

; expect: error 1:10: no field 2 in (Tuple Int Bool) | expected a tuple with the field, counted from 0
(assert ((_ tuple.select 2) t))

; expect: error 1:10: no field 0 in Int | expected a tuple with the field, counted from 0
(assert ((_ tuple.select 0) 1))

; expect: error 1:13: `tuple.select` with 2 indices | expected the number of a field, from 0
(assert ((_ tuple.select 0 1) t))

; expect: error 1:13: operands of an operator of tuples: ((Tuple Int Bool)) | expected a tuple, and a value for an update
(assert (= ((_ tuple.update 0) t) t))

; expect: error 1:13: `update` cannot take ((Tuple Int Bool) Bool): expected Int
(assert (= ((_ tuple.update 0) t true) t))

; expect: error 1:10: `=` cannot take ((Tuple Int Int) (Tuple Int Bool)): expected (A A …)
(assert (= (tuple 1 2) t))

; Cvc5 has no other words for their parts.
; expect: error 1:16: `tuple` is no constructor
(assert ((_ is tuple) t))

; expect: error 1:21: not a constructor of Tuple
(assert (match t (((tuple x y) y))))

; Above 16 fields they are carried.
; expect: same
; expect: carried 2
(declare-fun t17 () (Tuple Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int))
(assert (= ((_ tuple.select 16) t17) 1))
(assert (= (tuple 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17) t17))

; case: relations
; expect: prints (declare-fun x () (Set (Tuple Int Int)))
; expect: prints (declare-fun y () (Bag (Tuple Int Int)))
(declare-fun x () (Relation Int Int))
(declare-fun y () (Table Int Int))

; expect: same
(assert (= q (rel.join r q)))

; expect: same
(assert (= (rel.product s s) r))

; expect: same
(assert (= (rel.join s r) (rel.join r s) s))

; expect: same
(assert (= (rel.transpose q) (set.singleton (tuple 1.0 true 2))))

; expect: same
(assert (= (rel.tclosure r) (rel.iden s)))

; expect: same
(assert (= (rel.join_image r 2) s))

; What cvc5 refuses is carried, as all operators on sets that do not fit: they may be another solver's.
; expect: same
; expect: carried 8
(assert (= (rel.join s s) r))
(assert (= (rel.join q q) q))
(assert (= (rel.tclosure q) q))
(assert (= (rel.iden r) r))
(assert (= (rel.join_image q 2) q))
(assert (= (rel.product r r r) r))
(assert (= (rel.transpose (set.singleton 1)) r))
(assert (= ((_ rel.project 2) r) s))

; What is done with the fields of tuples is written out.
; expect: prints (assert (= ((_ rel.project 1) r) s))
(assert (= ((_ rel.project 1) r) s))

; expect: prints (assert (= ((_ rel.table_join 1 0) r s) (rel.product r s)))
(assert (= ((_ rel.table_join 1 0) r s) (rel.product r s)))

; case: nullable sorts
; expect: same
(assert (= n (nullable.some 1) (as nullable.null (Nullable Int))))

; expect: same
(assert (or (nullable.is_null n) (nullable.is_some n) (= (nullable.val n) 1)))

; A lifted function is written out.
; expect: prints (assert (= (ite (nullable.is_some n) (nullable.some (g (nullable.val n))) (as nullable.null (Nullable Bool))) (nullable.some true)))
(assert (= ((_ nullable.lift g) n) (nullable.some true)))

; expect: same
; expect: carried 1
(assert (= ((_ nullable.lift +) n n) n))

; expect: same
; expect: carried 1
(assert (= nullable.null n))

; given:

; case: names of one's own
; A script's own meaning of these names counts.
; expect: same
(declare-datatypes ((Tuple 0)) (((tuple (first Int) (second Int)))))
(declare-fun x () Tuple)
(assert (= x (tuple 1 2)))

; expect: same
(declare-sort Nullable 1)
(declare-fun nullable.val ((Nullable Int)) Int)
(declare-fun x () (Nullable Int))
(assert (= (nullable.val x) 1))

; Then the sort is not cvc5's.
; expect: same
; expect: carried 1
(declare-fun tuple (Int) Int)
(declare-fun x () (Tuple Int))
(assert (= (tuple 1) 1))
(assert (= ((_ tuple.select 0) x) 1))

; case: a declared name that looks like an operator's identifier keeps its bars
; expect: prints (declare-fun |(_ at-most 0)| (Bool) Bool)
; expect: prints (assert (|(_ at-most 0)| true))
; expect: prints (assert ((_ at-most 0) false))
(declare-fun |(_ at-most 0)| (Bool) Bool)
(assert (|(_ at-most 0)| true))
(assert ((_ at-most 0) false))
