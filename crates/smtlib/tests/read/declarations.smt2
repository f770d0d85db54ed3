; Declared and defined sorts and functions.

; case: declared and defined sorts
; expect: prints (declare-sort U 0)
; expect: prints (declare-sort P 2)
; expect: prints (declare-fun a () (P U Int))
; expect: prints (declare-fun b () (P (P U U) (Array U Bool)))
(declare-sort U 0)
(declare-sort P 2)
(declare-const a (P U Int))
(declare-const b (P (P U U) (Array U Bool)))

; Definitions are expanded where they are used; inside their own bodies parameters remain.
; expect: prints (define-sort M (K) (Array K Int))
; expect: prints (define-sort N (K) (Array (Array K Int) Int))
; expect: prints (declare-fun x () (Array (Array Bool Int) Int))
(define-sort M (K) (Array K Int))
(define-sort N (K) (M (M K)))
(declare-const x (N Bool))

; expect: prints (declare-sort |a sort| 0)
; expect: prints (declare-fun x () |a sort|)
(declare-sort |a sort| 0)
(declare-const x |a sort|)

; expect: error 2:19: this sort is given 1 arguments | expected 2
(declare-sort P 2)
(declare-const x (P Int))

; expect: error 1:19: this sort is given 1 arguments | expected none
(declare-const x (Int Int))

; expect: error 2:18: this sort is given 0 arguments | expected 1
(define-sort M (K) (Array K Int))
(declare-const x M)

; expect: error 2:18: unknown sort `K` | declare it before its first use: (declare-sort S 0)
(define-sort M (K) K)
(declare-const x K)

; case: sort parameters
; expect: same
(declare-sort-parameter A)
(declare-sort List 1)
(declare-fun empty () (List A))
(declare-fun hd ((List A)) A)
(declare-fun l () (List Int))
(assert (= (hd l) 1))
(assert (= l (as empty (List Int))))

; A law for all sorts.
; expect: same
(declare-sort-parameter A)
(declare-fun id (A) A)
(assert (forall ((x A)) (= (id x) x)))
(assert (= (id true) (= (id 1) 1)))

; expect: error 3:12: `e` cannot take (): expected ()
(declare-sort-parameter A)
(declare-fun e () (Array A Int))
(assert (= e e))

; given:
(declare-fun f (Int Bool) Int)

; case: functions
; expect: same
(assert (= (f 1 true) 2))

; expect: error 1:10: `=` cannot take ((-> Bool Int) Int): expected (A A …)
(assert (= (f 1) 2))

; expect: error 1:10: `=` cannot take ((-> Int (-> Bool Int)) Int): expected (A A …)
(assert (= f 2))

; given:

; expect: error 2:13: a constant in its own parentheses | write it without: only what takes arguments is applied
(declare-const c Int)
(assert (= (c) 1))

; expect: error 2:13: `c` cannot take (Int): expected ()
(declare-const c Int)
(assert (= (c 2) 1))

; Names that need bars, and names that look as if they did.
; expect: prints (declare-fun |a b| () Int)
; expect: prints (declare-fun c () Int)
; expect: prints (declare-fun |1| () Int)
; expect: prints (declare-fun |let| () Int)
; expect: prints (declare-fun || () Int)
; expect: prints (assert (= |a b| c |1| |let| ||))
(declare-const |a b| Int)
(declare-const |c| Int)
(declare-const |1| Int)
(declare-const |let| Int)
(declare-const || Int)
(assert (= |a b| |c| |1| |let| ||))

; A logic without a theory leaves its names free.
; expect: same
(declare-fun bvadd (Int) Int)
(assert (= (bvadd 1) 2))

; expect: prints (declare-fun - () Int)
; expect: prints (assert (= (- -) -))
(declare-const - Int)
(assert (= (- -) -))

; case: definitions
; expect: prints (define-fun f ((x Int)) Real (to_real x))
(define-fun f ((x Int)) Real x)

; expect: prints (declare-fun x () Int)
; expect: prints (define-fun f ((x Int)) Int (+ x 1))
; expect: prints (assert (= (f x) x))
(declare-const x Int)
(define-fun f ((x Int)) Int (+ x 1))
(assert (= (f x) x))

; expect: same
(define-fun-rec f ((x Int)) Int (ite (= x 0) 0 (f (- x 1))))
(assert (= (f 3) 0))

; expect: same
(define-funs-rec ((f ((x Int)) Int)(g ((x Int) (b Bool)) Int)) ((g x true) (f x)))
(assert (= (f 1) (g 2 false)))

; The same group again, as after a pop, is the same functions.
; expect: same
(push 1)
(define-fun-rec f ((x Int)) Int (f x))
(pop 1)
(define-fun-rec f ((x Int)) Int (f x))

; expect: error 1:30: unknown symbol `f` | declare it before its first use
(define-fun f ((x Int)) Int (f x))

; expect: error 1:29: unknown symbol `y` | declare it before its first use
(define-fun f ((x Int)) Int y)

; expect: error 1:41: unexpected `x` | expected `)` after the bodies
(define-funs-rec ((f ((x Int)) Int)) (x x))
