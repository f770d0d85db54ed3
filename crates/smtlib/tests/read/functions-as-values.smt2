; Functions as values.

; given:
(declare-fun h () (-> Int (-> Bool Real)))

; case: higher order
; Functions as values, in each of their spellings; the theory HO-Core calls application `@`.
; expect: prints (assert (= (@ (h 1) true) 0.0))
(assert (= (h 1 true) 0.0))

; expect: prints (assert (= (@ (h 1) true) 0.0))
(assert (= (@ h 1 true) 0.0))

; expect: prints (assert (= (@ (h 1) true) 0.0))
(assert (= (_ h 1 true) 0.0))

; expect: prints (assert (= (@ (h 1) true) 0.0))
(assert (= ((h 1) true) 0.0))

; expect: prints (assert (= (@ (h 1) true) 0.0))
(assert (= ((_ h 1) true) 0.0))

; expect: prints (assert (= (@ (h 1) true) 0.0))
(assert (= (@ (_ h 1) true) 0.0))

; expect: prints (assert (= (@ (h 1) true) 0.0))
(assert (= ((@ h 1) true) 0.0))

; expect: same
(assert (= (h 1) (h 2)))

; expect: prints (assert (let (($e1 (h 1))) (= (@ $e1 true) (@ $e1 false))))
(assert (let ((g (h 1))) (= (g true) (g false))))

; expect: same
(assert (exists ((f (-> Int Int))) (distinct (f 1) (f 2))))

; expect: prints (assert (= (@ (ite true h h) 1) (h 2)))
(assert (= ((ite true h h) 1) (h 2)))

; given:
(declare-fun f (Int Bool) Real)

; A function symbol on fewer arguments than it takes is a map, and on all of them an application like any other.
; expect: prints (assert (= (f 1) (f 2) (f 3)))
(assert (= (f 1) (@ f 2) (_ f 3)))

; expect: prints (assert (let (($e1 (f 1 true))) (= (@ (f 1) true) $e1 $e1)))
(assert (= ((f 1) true) (f 1 true) (_ f 1 true)))

; given:

; expect: prints (declare-fun g (Int) (-> Int Int))
; expect: prints (assert (let (($e1 (@ (g 1) 2))) (= $e1 $e1 3)))
(declare-fun g (Int) (-> Int Int))
(assert (= (g 1 2) ((g 1) 2) 3))

; expect: prints (declare-fun r () (-> Real Int))
; expect: prints (assert (= (r 1.0) 2))
(declare-fun r () (-> Real Int))
(assert (= (r 1) 2))

; expect: prints (declare-fun g () (-> Int Int))
; expect: prints (assert (= g (lambda ((x Int)) (+ x 1))))
(declare-const g (-> Int Int))
(assert (= g (lambda ((x Int)) (+ x 1))))

; expect: prints (assert (= (@ (@ (lambda ((x Int) (y Int)) (+ x y)) 1) 2) 3))
(assert (= ((lambda ((x Int) (y Int)) (+ x y)) 1 2) 3))

; given:
(declare-fun g () (-> Int Int))

; Maps are arrays in z3.
; expect: prints (assert (= g (lambda ((x!map Int)) (ite (= x!map 2) (g 0) (ite (= x!map 1) 3 4)))))
(assert (= g (store (store ((as const (-> Int Int)) 4) 1 3) 2 (select g 0))))

; expect: prints (assert (forall ((x!map Int)) (= g (lambda ((x!map!1 Int)) (ite (= x!map!1 x!map) 1 (g x!map!1))))))
(assert (forall ((x!map Int)) (= g (store g x!map 1))))

; given:

; A declared `@` is what it is declared to be.
; expect: same
(declare-fun @ (Int) Int)
(assert (= (@ 1) 2))

; expect: error 2:13: `@` cannot take ((-> Int Int) Bool): expected a map `(-> A B)` and a term of its sort A
(declare-const g (-> Int Int))
(assert (= (_ g true) 1))

; expect: error 1:13: `@` cannot take (Int Int): expected a map `(-> A B)` and a term of its sort A
(assert (= ((+ 1 2) 3) 1))

; expect: error 2:13: `@` needs a map and its arguments
(declare-fun f (Int) Int)
(assert (= (@ f) f))

; expect: error 1:19: this sort is given 1 arguments | expected two or more
(declare-const g (-> Int))
