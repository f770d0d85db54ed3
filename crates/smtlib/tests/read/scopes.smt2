; Assertion levels, the logic, and what an error leaves behind.

; case: the logic is set once
; The standard's execution modes: a second logic once replaced the first, although the preceding commands had been read by it.
; expect: error 2:12: the logic is set already | (reset) first, which forgets everything else, too
(set-logic LRA)
(set-logic LIA)

; expect: error 3:12: the logic is set already | (reset) first, which forgets everything else, too
(set-logic LRA)
(assert (= 1 1.0))
(set-logic LIA)

; expect: error 3:12: the logic is set already | (reset) first, which forgets everything else, too
(set-logic LRA)
(reset-assertions)
(set-logic LRA)

; expect: error 2:12: the logic must be set before anything is asserted, checked or pushed | (reset) first, which forgets everything else, too
(assert true)
(set-logic LIA)

; expect: error 2:12: the logic must be set before anything is asserted, checked or pushed | (reset) first, which forgets everything else, too
(push 1)
(set-logic LIA)

; expect: error 2:12: the logic must be set before anything is asserted, checked or pushed | (reset) first, which forgets everything else, too
(check-sat)
(set-logic LIA)

; expect: error 2:12: the logic must be set before anything is asserted, checked or pushed | (reset) first, which forgets everything else, too
(check-sat-assuming ())
(set-logic LIA)

; expect: error 2:12: the logic must be set before anything is asserted, checked or pushed | (reset) first, which forgets everything else, too
; expect: carried 1
(assert (char.is_digit s))
(set-logic LIA)

; expect: ok
(declare-const x Int)
(set-option :produce-models true)
(set-logic LIA)
(reset)
(set-logic LRA)
(assert (= 1 1.0))

; case: levels and scopes
; expect: error 4:12: unknown symbol `x` | declare it before its first use
(push 1)
(declare-const x Int)
(pop 1)
(assert (> x 0))

; expect: error 3:12: unknown symbol `x` | declare it before its first use
(declare-const x Int)
(reset)
(assert (> x 0))

; expect: error 3:12: unknown symbol `x` | declare it before its first use
(declare-const x Int)
(reset-assertions)
(assert (> x 0))

; expect: error 4:18: unknown sort `U` | declare it before its first use: (declare-sort S 0)
(push 1)
(declare-sort U 0)
(pop 1)
(declare-const x U)

; expect: same
(set-option :global-declarations true)
(push 1)
(declare-fun x () Int)
(pop 1)
(assert (> x 0))
(reset-assertions)
(assert (< x 0))

; Names come back with another meaning, and the old one returns.
; expect: same
(declare-fun x () Int)
(push 1)
(declare-sort U 0)
(declare-fun y () U)
(pop 1)
(declare-sort U 1)
(declare-fun y () (U Int))
(assert (= y y))

; case: reading goes on after an error
; expect: error 2:12: unknown symbol `y`
; expect: error 3:18: unexpected `)`
; expect: error 4:10: `=` cannot take (Int String)
; expect: error 5:2: unknown command `foo`
; expect: prints (declare-fun x () Int)
; expect: prints (assert (> x 0))
(declare-const x Int)
(assert (> y 0))
(assert (> x 0)) )
(assert (= x "a"))
(foo
(check-sat)

; A refused command binds nothing, and what it bound on the way is unbound.
; expect: error 1:45: unknown symbol `z` | declare it before its first use
; expect: error 2:12: unknown symbol `y` | declare it before its first use
(assert (forall ((x Int)) (let ((y x)) (> y z))))
(assert (> y 0))

; A wrong definition still makes its name known, also where a parameter has the name of the function.
; expect: error 1:38: unknown symbol `z`
; expect: carried 1
(define-fun-rec f ((f Int)) Int (+ f z))
(assert (= f 0))

; case: one error is reported once
; After an error in a declaration, each use of its name was once reported as another error.
; expect: error 1:17: unknown sort `Foo` | declare it before its first use: (declare-sort S 0)
; expect: carried 1
(declare-fun f (Foo) Int)
(assert (= (f 1) 2))
(check-sat)

; expect: error 1:28: unknown sort `Foo` | declare it before its first use: (declare-sort S 0)
; expect: carried 2
(declare-datatype A ((a (s Foo))))
(declare-const x A)
(assert (= (s x) 1))
(assert (= x (a 1)))
(get-value (x))

; expect: error 1:17: unexpected `z` | expected an arity
(declare-sort S z)
(declare-fun f (S) S)
(declare-const x S)
(assert (= (f x) x))

; expect: error 1:15: unknown symbol `y` | declare it before its first use
; expect: carried 1
(assert (! (> y 0) :named n))
(assert (=> n z))

; What was declared before keeps its meaning.
; expect: error 2:16: `x` is already declared | choose another name, or (pop) or (reset) first
; expect: error 3:10: `=` cannot take (Int Bool): expected (A A …)
(declare-const x Int)
(declare-const x Int)
(assert (= x true))
