; Whole reductions against solvers that err on a word.

; case: only what the bug needs is left
; wrong: unsat on `mod`
; witness: ((define-fun long_name () Int 5) (define-fun other () Int 2))
; expect: left (assert (= (mod 0 1) 0))
; expect: left (check-sat)
; expect: trust certified
(set-logic QF_LIA)
(set-info :status sat)
(declare-fun long_name () Int)
(declare-fun other () Int)
(assert (and (> long_name 3) (or (< other 9) (= (mod other 7) 2))))
(assert (distinct long_name other))
(check-sat)
(get-model)
(exit)

; case: checks and levels go
; wrong: unsat on `xor`
; witness: ((define-fun p () Bool true))
; expect: left (assert (xor true false))
; expect: left (check-sat)
; expect: trust certified
(declare-fun p () Bool)
(push 1)
(assert p)
(check-sat)
(push 2)
(assert (xor p false))
(check-sat)
(pop 2)
(check-sat)

; case: a script stays in its logic
; Yices accepts functions under (set-logic QF_NIA). A mutant in QF_UFNIA was once reduced to such a script, which z3 and cvc5 refused.
; wrong: unsat on `set-logic` and `(a `
; witness: ((define-fun x () Int 5) (define-fun a ((y Int)) Int 2))
; expect: contains (set-logic QF_UFLIA)
(set-logic QF_UFNIA)
(declare-fun a (Int) Int)
(declare-fun x () Int)
(assert (or (> (* x x) 3) (= (a (+ x 1)) 2)))
(check-sat)

; What is beyond its logic from the beginning may stay so, and nothing else may be added to it.
; wrong: unsat on `set-logic` and `(a `
; witness: ((define-fun x () Int 5) (define-fun a ((y Int)) Int 2))
; expect: contains (set-logic QF_NIA)
(set-logic QF_NIA)
(declare-fun a (Int) Int)
(declare-fun x () Int)
(assert (or (> (* x x) 3) (= (a (+ x 1)) 2)))
(check-sat)

; case: crashes keep their signature
; A reduction of the assertion must not end in the segmentation fault, which every assertion shows.
; wrong: abort on `xor`
; wrong: crash on `assert`
; expect: trust observed
; expect: contains xor
; expect: at most 59 bytes
(declare-fun p () Bool)
(declare-fun q () Bool)
(assert (or p (xor p q)))
(assert (and p q))
(check-sat)

; The segmentation fault needs less.
; wrong: crash on `assert`
; expect: lacks xor
; expect: at most 29 bytes
(declare-fun p () Bool)
(assert (or p (xor p true)))
(check-sat)

; case: what is no wrong answer is refused
; The witness does not satisfy the assertion.
; wrong: unsat on `assert`
; witness: ((define-fun p () Int 9))
; expect: refused it answers: unsat, but no model is certified
(declare-fun p () Int)
(assert (< p 7))
(check-sat)

; The answer is right.
; wrong: unsat on `mod`
; witness: ((define-fun p () Int 3))
; expect: refused it answers: sat
(declare-fun p () Int)
(assert (< p 7))
(check-sat)

; case: what is decided by exhaustion
; z3 5.4.1 gives up on small problems of floats, as its previous release does. No solver that answers was available, so that what
; exhaustion decides could not be reduced.
; wrong: unknown on `check-sat`
; expect: trust exhausted
; expect: left (check-sat)
(declare-fun p () Bool)
(assert p)
(assert (not p))
(check-sat)

; Exhaustion does not decide this.
; wrong: unknown on `check-sat`
; expect: refused it answers: unknown, but no proof is certified
(declare-fun p () Int)
(assert (< (* p p) 7))
(check-sat)
