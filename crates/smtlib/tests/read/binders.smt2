; `let`, quantifiers, patterns and annotations: scopes, renaming, and the sharing that printing makes.

; given:
(declare-const p Bool)
(declare-const q Bool)
(declare-const i Int)
(declare-fun f (Int) Int)
(declare-fun r (Int Int) Bool)

; case: lets are parallel and shadow
; expect: prints (assert p)
(assert (let ((x p)) x))

; expect: prints (assert (and q (not p)))
(assert (let ((p q) (q p)) (and p (not q))))

; expect: prints (assert (not p))
(assert (let ((x p)) (let ((x (not x))) x)))

; expect: prints (assert (and q p))
(assert (let ((x p)) (and (let ((x q)) x) x)))

; expect: prints (assert (or p q))
(assert (let ((and p)) (or and q)))

; expect: error 1:25: `@` cannot take (Bool Bool): expected a map `(-> A B)` and a term of its sort A
(assert (let ((and p)) (and and q)))

; expect: prints (assert true)
(assert (let ((i true)) i))

; A `let` variable is not captured by a binder inside.
; expect: prints (assert (forall ((i!1 Int)) (r i i!1)))
(assert (let ((y i)) (forall ((i Int)) (r y i))))

; expect: error 1:24: unknown symbol `x` | declare it before its first use
(assert (let ((x p) (y x)) y))

; expect: error 1:30: unknown symbol `x` | declare it before its first use
(assert (and (let ((x p)) x) x))

; expect: error 1:15: unexpected `)` | expected a binding (x t)
(assert (let () p))

; expect: error 1:20: unexpected `y` | expected `)` after the binding
(assert (let ((x p y)) p))

; case: quantifiers bind and are renamed apart
; expect: same
(assert (forall ((x Int) (y Int)) (r x y)))

; expect: same
(assert (exists ((i Int)) (r i i)))

; expect: same
(assert (forall ((x Int)) (exists ((x Int)) (r x x))))

; expect: same
(assert (and (forall ((x Int)) (r x x)) (forall ((x Int)) (r x i))))

; expect: same
(assert (forall ((x Int)) (and (forall ((x Bool)) x) (r x x))))

; expect: same
(assert (forall ((and Bool)) (or and p)))

; expect: same
(assert (forall ((|a b| Int)) (r |a b| 0)))

; expect: error 1:10: a binder without variables | expected ((x S) …)
(assert (forall () p))

; expect: error 1:10: the body of a quantifier must be Bool, this is Int
(assert (forall ((x Int)) x))

; expect: error 1:38: unknown symbol `x` | declare it before its first use
(assert (and (forall ((x Int)) p) (r x 0)))

; case: variables keep their own names where these capture nothing
; Renaming once hid a solver bug about names that are bound again: the printed text did not show it.
; expect: same
(assert (and (= i 0) (exists ((i Int) (p Int)) (r i p)) p))

; expect: same
(assert (forall ((i Int)) (and (exists ((i Bool) (f Int)) (and i (= f 0))) (r i (f i)))))

; expect: same
(assert (exists ((select Bool)) (forall ((r Int)) (= select (= r 0)))))

; expect: same
(assert (exists ((Int Bool)) (forall ((Int Int)) (= Int 0))))

; A `let` is read as its value. A bound variable of the same name as one in that value is renamed.
; expect: prints (assert (exists ((x Int)) (exists ((x!1 Int)) (r x!1 x))))
(assert (exists ((x Int)) (let ((y x)) (exists ((x Int)) (r x y)))))

; expect: prints (assert (exists ((f!1 Int)) (r f!1 (f i))))
(assert (let ((y (f i))) (exists ((f Int)) (r f y))))

; expect: prints (assert (exists ((i!1 Int)) (exists ((i!2 Int)) (and (r i!2 i!1) (exists ((i Int)) (r i i))))))
(assert (exists ((i Int)) (let ((y i)) (exists ((i Int)) (and (r i y) (exists ((i Int)) (r i i)))))))

; expect: prints (assert (and (exists ((i!1 Int)) (r i!1 i)) (exists ((i!1 Int)) (r i!1 0))))
(assert (and (let ((y i)) (exists ((i Int)) (r i y))) (exists ((i Int)) (r i 0))))

; case: patterns and annotations
; expect: prints (assert (forall ((x Int)) (! (r x 0) :pattern ((f x)) :pattern ((r 0 x) (r 1 x)) :no-pattern (f 0) :qid |a b| :weight 3)))
(assert (forall ((x Int)) (! (r x 0) :pattern ((f x)) :pattern ((r 0 x) (r 1 x)) :no-pattern (f 0) :weight 3 :qid |a b|)))

; Through the `let` around them, the patterns are the quantifier's still.
; expect: prints (assert (forall ((x Int)) (! (let (($e1 (f (f x)))) (r $e1 $e1)) :pattern ((f (f x))))))
(assert (forall ((x Int)) (let ((y (f (f x)))) (! (r y y) :pattern (y)))))

; Two annotations one in the other are one.
; expect: prints (assert (forall ((x Int)) (! (r x 0) :pattern ((f x)) :qid k)))
(assert (forall ((x Int)) (! (! (r x 0) :pattern ((f x))) :qid k)))

; One solver drops an assertion with a pattern under a `let`. No pattern is printed there; a `let` inside a pattern is allowed.
; expect: prints (assert (forall ((x Int)) (! (let (($e1 (f x))) (r $e1 $e1)) :pattern ((let (($e2 (f x))) (r $e2 $e2))))))
(assert (forall ((x Int)) (! (r (f x) (f x)) :pattern ((r (f x) (f x))))))

; expect: prints (assert (forall ((x Int)) (let (($e1 (f x))) (! (r $e1 $e1) :pattern ((ite (forall ((y Int)) (r x y)) $e1 0))))))
(assert (forall ((x Int)) (! (r (f x) (f x)) :pattern ((ite (forall ((y Int)) (r x y)) (f x) 0)))))

; expect: prints (assert p)
(assert (! p :unknown (a (b)) :flag :other 1))

; expect: prints (assert (and p q))
(assert (and (! p :lblpos x) (! q :named n)))

; expect: error 1:48: unexpected `)` | expected a term
(assert (forall ((x Int)) (! (r x 0) :pattern ())))

; expect: error 1:20: unexpected `)` | expected a name
(assert (! p :named))

; expect: error 1:14: unexpected `named` | expected an attribute or `)`
(assert (! p named))

; case: repeated terms are bound where they belong
; expect: prints (assert (let (($e1 (f i))) (and (r $e1 0) (r $e1 1))))
(assert (and (r (f i) 0) (r (f i) 1)))

; expect: prints (assert (let (($e1 (f i))) (let (($e2 (r (f $e1) $e1))) (and $e2 $e2))))
(assert (and (r (f (f i)) (f i)) (r (f (f i)) (f i))))

; Terms with a bound variable stay under their binder; those without go to the front.
; expect: prints (assert (let (($e2 (f i))) (forall ((x Int)) (let (($e1 (f x))) (and (r $e1 $e2) (r $e2 $e1))))))
(assert (forall ((x Int)) (and (r (f x) (f i)) (r (f i) (f x)))))

; expect: prints (assert (forall ((x Int)) (let (($e1 (f x))) (exists ((y Int)) (let (($e2 (f y))) (and (r $e1 $e2) (r $e2 $e1)))))))
(assert (forall ((x Int)) (exists ((y Int)) (and (r (f x) (f y)) (r (f y) (f x))))))

; One term under two binders of the same variable is bound in each.
; expect: prints (assert (or (forall ((x Int)) (let (($e1 (f x))) (and (r $e1 0) (r $e1 1)))) (exists ((x Int)) (let (($e2 (f x))) (and (r $e2 2) (r $e2 3))))))
(assert (or (forall ((x Int)) (and (r (f x) 0) (r (f x) 1))) (exists ((x Int)) (and (r (f x) 2) (r (f x) 3)))))

; given:

; case: names of shared terms avoid the users names
; expect: prints (declare-fun $e1 () Int)
; expect: prints (assert (let (($e!1 (+ $e1 1))) (= $e!1 (* $e!1 2))))
(declare-const $e1 Int)
(assert (= (+ $e1 1) (* (+ $e1 1) 2)))

; expect: prints (declare-fun i () Int)
; expect: prints (assert (let (($e!1 (+ i 1))) (forall (($e7 Int)) (= $e!1 (* $e!1 $e7)))))
(declare-const i Int)
(assert (forall (($e7 Int)) (= (+ i 1) (* (+ i 1) $e7))))

; case: a variable keeps its name under a `let` of that name
; Names of `let` are not in terms. The variable was renamed, but printed as `x`, so that the printed text was read as another term.
; given:
(declare-const p Bool)
(declare-fun g (Int) Bool)

; expect: prints (assert (exists ((x Int)) (g x)))
(assert (let ((x p)) (exists ((x Int)) (g x))))

; expect: prints (assert (exists ((x Int)) (and p (g x))))
(assert (let ((x p)) (let ((y x)) (let ((x y)) (exists ((x Int)) (and y (g x)))))))

; Under a variable of that name, too, it is renamed: `y` stands for the outer one.
; expect: prints (assert (forall ((x Int)) (exists ((x!1 Int)) (and (g x) (g x!1)))))
(assert (forall ((x Int)) (let ((y (g x))) (let ((x p)) (exists ((x Int)) (and y (g x)))))))
