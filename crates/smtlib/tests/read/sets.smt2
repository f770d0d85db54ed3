; Finite sets, in the spelling of cvc5 and of z3.

; given:
(declare-const s (Set Int))
(declare-const q (Set (Set Int)))

; case: sets
; As cvc5 spells them.
; expect: same
(assert (= s (as set.empty (Set Int))))

; expect: same
(assert (= q (set.singleton s)))

; expect: same
(assert (= s (set.union s s s) (set.minus s s)))

; expect: same
(assert (set.subset (set.insert 1 2 s) (as set.universe (Set Int))))

; expect: same
(assert (= (set.card s) 1))

; As z3 does.
; expect: prints (assert (= s (as set.empty (Set Int))))
(assert (= s (as set.empty (FiniteSet Int))))

; expect: prints (assert (set.member 1 (set.inter s s)))
(assert (set.in 1 (set.intersect s s)))

; expect: prints (assert (= (set.card (set.minus s s)) 0))
(assert (= (set.size (set.difference s s)) 0))

; expect: same
(assert (= s (set.range 1 3)))

; given:

; expect: prints (declare-fun s () (Set (Set Bool)))
(declare-const s (FiniteSet (FiniteSet Bool)))

; A file may have a sort of this name itself.
; expect: prints (declare-sort Set 0)
; expect: prints (declare-fun s () Set)
(declare-sort Set 0)
(declare-const s Set)

; expect: prints (define-sort Set (T) (Array T Bool))
; expect: prints (declare-fun s () (Array Int Bool))
; expect: prints (assert (select s 1))
(define-sort Set (T) (Array T Bool))
(declare-const s (Set Int))
(assert (select s 1))

; given:
(declare-const s (Set Int))
(declare-const q (Set (Set Int)))

; What is not understood is carried: in z3 a `(Set T)` is an array, and older solvers call the operators otherwise.
; expect: same
; expect: carried 1
(assert (select s 1))

; expect: same
; expect: carried 1
(assert (member 1 s))

; expect: same
; expect: carried 1
(assert (= (union s s) s))

; expect: same
; expect: carried 1
(assert (set.member true s))

; expect: same
(assert (= (set.choose s) 1))

; expect: same
(assert (set.all (lambda ((x Int)) (> x 0)) s))

; expect: same
; expect: carried 1
(assert (= s set.empty))

; given:

; expect: error 1:19: this sort is given 2 arguments | expected an element sort
(declare-const s (Set Int Int))

; expect: error 1:18: this sort is given 0 arguments | expected an element sort
(declare-const s Set)

; expect: error 1:13: a constant set takes no terms
(assert (= ((as set.empty (Set Int)) 1) 1))
