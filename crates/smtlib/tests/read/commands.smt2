; All commands of SMT-LIB 2.6 and 2.7: how they print, and which errors they give.

; case: standard commands
; expect: same
(set-logic QF_LIA)

; expect: same
(set-option :produce-models true)

; expect: same
(set-option :smt.string_solver z3str3)

; expect: same
(set-info :source |two
 lines|)

; expect: same
(set-info :empty)

; expect: same
(declare-sort U 0)

; expect: same
(declare-sort P 3)

; expect: same
(declare-sort-parameter A)

; expect: same
(define-sort V () (_ BitVec 7))

; expect: same
(define-sort M (K E) (Array K (Array Int E)))

; expect: same
(declare-fun f (Int Real) Bool)

; expect: same
(define-fun f ((x Int) (y Int)) Bool (< x y))

; expect: same
(define-fun c () Int 3)

; expect: same
(define-fun-rec f ((x Int)) Int (f (- x 1)))

; expect: same
(define-funs-rec ((f ((x Int)) Int)(g ((x Int)) Int)) ((g x) (f x)))

; expect: same
(assert true)

; expect: same
(assert (! true :named t))

; expect: same
(check-sat)

; expect: same
(check-sat-assuming (true (not false)))

; expect: same
(check-sat-assuming ())

; expect: same
(push 2)
(pop 1)

; expect: same
(reset)

; expect: same
(reset-assertions)

; expect: same
(get-model)

; expect: same
(get-value (1 true))

; expect: same
(get-assertions)

; expect: same
(get-assignment)

; expect: same
(get-info :version)

; expect: same
(get-option :produce-models)

; expect: same
(get-proof)

; expect: same
(get-unsat-core)

; expect: same
(get-unsat-assumptions)

; expect: same
(echo "say ""hello""")

; expect: same
(echo "no escape: \u{41} \x é")

; expect: same
(exit)

; case: other spellings print in the standard one
; expect: prints (declare-fun x () Int)
(declare-const x Int)

; expect: prints (define-fun x () Int 3)
(define-const x Int 3)

; expect: prints (push 1)
; expect: prints (pop 1)
(push)
(pop)

; expect: prints (declare-sort U 0)
(declare-sort U)

; expect: prints (declare-datatypes ((C 0)) (((r) (g))))
(declare-datatype C ((r) (g)))

; expect: prints (define-fun-rec f ((x Int)) Int x)
(define-funs-rec ((f ((x Int)) Int)) (x))

; expect: prints (check-sat-assuming (true))
(check-sat true)

; expect: prints (check-sat)
; nothing
 (check-sat) ; more

; expect: prints (get-info :name)
( get-info ; (x)
  :name )

; case: errors in commands
; expect: error 1:2: unknown command `check-sta` | did you mean `check-sat`?
(check-sta)

; expect: error 1:2: unknown command `frobnicate` | expected a command such as (assert …) or (check-sat)
(frobnicate)

; expect: error 1:1: unexpected `check-sat` | expected a command, which begins with `(`
check-sat

; expect: error 1:12: unexpected `)` | expected a command; there is one `)` too many
(check-sat))

; expect: error 1:13: the text ends here | expected `)` after the command
(assert true

; expect: error 1:14: unexpected `false` | expected `)` after the command
(assert true false)

; expect: error 1:8: unexpected `)` | expected a term
(assert)

; expect: error 1:9: this term is of sort Int | expected Bool
(assert 1)

; expect: error 1:18: unknown sort `Foo` | declare it before its first use: (declare-sort S 0)
(declare-const x Foo)

; expect: error 1:18: unknown sort `Boool` | did you mean `Bool`?
(declare-const x Boool)

; expect: error 1:16: unexpected `1` | expected the name of the constant
(declare-const 1 Int)

; expect: error 1:16: `let` is a reserved word | expected the name of the constant; in bars it would be a name: |let|
(declare-const let Int)

; expect: error 2:14: `x` is already declared | choose another name, or (pop) or (reset) first
(declare-const x Int)
(declare-fun x () Int)

; expect: error 1:15: the sort `Int` is already declared
(declare-sort Int 0)

; expect: error 1:28: a width of 0 | expected 1 to 16777216 bits
(declare-const b (_ BitVec 0))

; expect: error 1:18: a bit-vector sort needs a width | write (_ BitVec 8)
(declare-const b BitVec)

; expect: error 1:35: no floating-point sort has 1 and 5 bits | exponent and significand bits must each be more than 1
(declare-const f (_ FloatingPoint 1 5))

; expect: error 1:19: this sort is given 1 arguments | expected an index sort and an element sort
(declare-const a (Array Int))

; expect: error 1:6: pop of 1 levels, but fewer are open
(pop 1)

; expect: error 1:30: the body is of sort Int | expected Bool
(define-fun f ((x Int)) Bool x)

; expect: error 1:13: `:random-seed` cannot be `abc` | expected a numeral
(set-option :random-seed abc)

; expect: error 1:13: `:verbosity` without a value | expected a numeral
(set-option :verbosity)

; expect: error 1:13: `:global-declarations` without a value | expected true or false
(set-option :global-declarations)

; expect: error 1:13: `:produce-models` cannot be `1` | expected true or false
(set-option :produce-models 1)

; expect: same
(set-option :smt.x)
(set-option :random-seed 7)

; expect: error 1:11: unexpected `status` | expected a keyword such as :status
(set-info status sat)

; expect: error 1:7: unexpected `hello` | expected a string
(echo hello)

; expect: error 1:1: this `(` is never closed | the text ends before its `)`
(minimize (f x)

; expect: error 1:21: a datatype without constructors
(declare-datatype T ())

; expect: error 1:28: `T` is declared twice here
(declare-datatypes ((T 0) (T 0)) (((a)) ((b))))

; expect: error 1:22: an arity of 1 | its constructors have 0 sort parameters
(declare-datatypes ((T 1)) (((a))))

; expect: error 1:22: a datatype without a finite value | some constructor must not need a value of the datatype itself
(declare-datatypes ((A 0) (B 0)) (((a (b B))) ((c (d A)) (e (f A)))))

; expect: error 1:27: `a` is declared twice in this datatype
(declare-datatype T ((a) (a)))

; expect: error 1:13: unexpected `)` | expected a term
(get-value ())

; expect: error 1:12: unexpected `)` | expected a keyword such as :status
(get-option)

; expect: error 1:17: unexpected `1` | expected `)` after the command
(get-unsat-core 1)

; case: names of assertions
; expect: prints (declare-fun p () Bool)
; expect: prints (assert (! (not p) :named a))
; expect: prints (assert (or (not p) p))
(declare-const p Bool)
(assert (! (not p) :named a))
(assert (or a p))

; The name of a part is not that of the whole.
; expect: prints (declare-fun p () Bool)
; expect: prints (assert (and (not p) p))
; expect: prints (assert (not p))
(declare-const p Bool)
(assert (and (! (not p) :named a) p))
(assert a)

; expect: error 1:45: `:named` on a term with free variables | only a closed term can have a name; leave the name out
(assert (forall ((x Int)) (! (> x 0) :named a)))

; expect: error 2:21: `p` is already declared | choose another name, or (pop) or (reset) first
(declare-const p Bool)
(assert (! p :named p))

; expect: same
(push 1)
(assert (! true :named a))
(pop 1)
(assert (! false :named a))
