; Arrays.

; given:
(declare-const a (Array Int Real))

; case: arrays
; expect: prints (assert (= (select (store a 1 2.0) 3) 4.0))
(assert (= (select (store a 1 2) 3) 4))

; expect: prints (assert (= a ((as const (Array Int Real)) 0.0)))
(assert (= a ((as const (Array Int Real)) 0)))

; case: z3's functions as arrays
; expect: prints (assert (= a (lambda ((x Int)) 1.0)))
(assert (= a (lambda ((x Int)) 1.0)))

; expect: prints (assert (= a (lambda ((x Int)) (ite (= x 0) 1.0 (ite (= x 2) 3.0 1.0)))))
(assert (= a (store (lambda ((x Int)) (ite (= x 2) 3.0 1.0)) 0 1.0)))

; expect: prints (assert (= a (lambda ((x!map Int)) (@ (ite true (lambda ((x Int)) 1.0) (lambda ((x Int)) 2.0)) x!map))))
(assert (= a (ite true (lambda ((x Int)) 1.0) (lambda ((x Int)) 2.0))))

; expect: prints (assert (= ((_ map (+ (Real Real) Real)) a a) a))
(assert (= ((_ map (+ (Real Real) Real)) a a) a))

; expect: carried 1
(assert (= ((_ map unknown) a) a))

; expect: carried 1
(assert (= ((_ map +) a true) a))

; expect: error 1:10: `=` cannot take ((Array Int Real) (-> Bool Real)): expected (A A …)
(assert (= a (lambda ((x Bool)) 1.0)))

; expect: error 1:10: `=` cannot take ((Array Int Real) (-> Int (-> Int Real))): expected (A A …)
(assert (= a (lambda ((x Int) (y Int)) 1.0)))

; given:
(declare-const a (Array Int Real))
(declare-fun f (Int Int) Real)

; case: a function that lacks its last argument, as an array
; expect: prints (assert (= a (lambda ((x!map Int)) (f 1 x!map))))
(assert (= a (f 1)))

; given:

; expect: error 2:10: `select` cannot take ((Array Int Bool) Bool): expected ((Array A B) A)
(declare-const a (Array Int Bool))
(assert (select a true))
