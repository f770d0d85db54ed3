; What each check asks: its logic, declarations, assertions and status, and whether a part is only carried as text.

; case: checks see what is live
; expect: no check
(assert true)

; expect: check 0: QF_UF 1 declared, [p] -
(set-logic QF_UF)
(declare-const p Bool)
(assert p)
(check-sat)

; expect: check 0: - 2 declared, [(and p q)] -
; expect: check 1: - 1 declared, [p] -
(declare-const p Bool)
(push 1)
(declare-const q Bool)
(assert (and p q))
(check-sat)
(pop 1)
(assert p)
(check-sat)

; expect: check 0: - 0 declared, [] -
; expect: check 1: - 0 declared, [] -
(push 2)
(assert false)
(pop 1)
(check-sat)
(pop 1)
(check-sat)

; expect: check 0: - 0 declared, [] -
(push 1)
(assert false)
(push 1)
(assert true)
(pop 2)
(check-sat)

; expect: check 0: - 0 declared, [true false] -
; expect: check 1: - 0 declared, [true] -
(assert true)
(check-sat-assuming (false))
(check-sat)

; expect: check 0: - 0 declared, [] Sat
; expect: check 1: - 0 declared, [] -
(set-info :status sat)
(check-sat)
(check-sat)

; expect: check 0: - 0 declared, [] -
(set-info :status unsat)
(reset)
(check-sat)

; expect: check 0: LIA 0 declared, [] -
(set-logic LIA)
(assert true)
(push 1)
(reset-assertions)
(check-sat)

; expect: check 0: - 1 declared, [p] -
; expect: check 1: - 1 declared, [p] -
(set-option :global-declarations true)
(push 1)
(declare-const p Bool)
(pop 1)
(assert p)
(check-sat)
(reset-assertions)
(assert p)
(check-sat)

; expect: check 0: - 0 declared, [] - incomplete
; expect: check 1: - 0 declared, [] -
; expect: carried 1
(push 1)
(block-model :values)
(check-sat)
(pop 1)
(check-sat)

; expect: check 0: - 0 declared, [] -
(eval 1)
(get-objectives)
(check-sat)

; expect: check 0: - 0 declared, [true] - incomplete
; expect: carried 1
(assert (> (sin 1.0) 0.0))
(assert true)
(check-sat)

; expect: check 0: - 0 declared, [] -
; expect: carried 1
(push 1)
(assert (> (sin 1.0) 0.0))
(pop 1)
(check-sat)

; expect: check 0: - 0 declared, [] -
; expect: carried 1
(assert (> (sin 1.0) 0.0))
(reset-assertions)
(check-sat)

; expect: check 0: - 0 declared, [] - incomplete
; expect: carried 1
(define-fun-rec f ((x Int)) Real (sin (f x)))
(check-sat)

; expect: check 0: - 0 declared, [] -
; expect: carried 2
(define-fun c () Real (sin 1.0))
(get-value (c))
(check-sat)

; Its answer is one of the script's, and says nothing of the next.
; expect: check 0: - 0 declared, [true] - incomplete
; expect: check 1: - 0 declared, [true] -
; expect: carried 1
(assert true)
(check-sat-assuming ((> (sin 1.0) 0.0)))
(check-sat)

; What is read as the operator may be another thing from here on, and what is included may open and close levels.
; expect: check 0: - 0 declared, [] - unknown
; expect: carried 1
(define-fun bvadd ((x Real)) Real (sin x))
(check-sat)

; expect: check 0: - 0 declared, [] - unknown
; expect: carried 1
(push 1)
(include "more.smt2")
(pop 1)
(check-sat)

; Objectives choose among models. They do not change whether there is one.
; expect: check 0: - 0 declared, [] -
; expect: carried 1
(assert-soft false)
(minimize 1)
(apply smt)
(check-sat)

; expect: check 0: - 0 declared, [] -
(check-sat-using smt)
