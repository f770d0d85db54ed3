; Commands that are marked as errors, and are some: they are kept as text and change nothing.

; case: marked errors are kept
; given:
(declare-const x Int)
(declare-const p Bool)

; expect: same
(set-info :squall-error true)
(assert undeclared)

; expect: same
(set-info :squall-error true)
(assert (not #b1))

; expect: same
(set-info :squall-error true)
(declare-fun x () Int)

; expect: same
(set-info :squall-error true)
(pop 1000000)

; expect: same
(set-info :squall-error true)
(set-option :produce-models maybe)

; expect: check 0: - 2 declared, [p] -
(push 1)
(set-info :squall-error true)
(assert (and p x))
(assert p)
(set-info :squall-error true)
(pop 2)
(check-sat)

; case: what is no error is not marked as one
; given:
(declare-const p Bool)

; expect: error 2:1: is marked as an error
(set-info :squall-error true)
(assert p)

; expect: error 2:1: is marked as an error
(set-info :squall-error true)
(pop 0)

; The command is read as another thing, or leaves something behind.
; expect: error 2:1: is marked as an error
(set-info :squall-error true)
(nobody-knows)

; expect: error 2:1: is marked as an error
(set-info :squall-error true)
(define-fun f () Bool undeclared)

; expect: error 2:1: is marked as an error
(set-info :squall-error true)
(set-info :squall-error true)

; expect: error 2:1: is marked as an error
(set-info :squall-error true)
(assert (and (! p :named q) undeclared))

; expect: error 1:30: expected the command
(set-info :squall-error true)
