; Objectives of z3: read as commands with terms, or carried as text where they are another solver's.

; case: objectives are read and printed unchanged
; given:
(declare-const x Int)
(declare-const r Real)
(declare-const b (_ BitVec 4))
(declare-const p Bool)

; expect: same
(maximize (+ x 1))

; expect: same
(minimize (- r))

; expect: same
(maximize (bvadd b #x1))

; expect: same
(assert-soft p)

; expect: same
(assert-soft (or p (> x 2)) :weight 0.5 :id |a b|)

; expect: same
(assert-soft p :id goal :weight 2)

; A comment ends with its line, which is not kept.
; expect: prints (assert-soft p :weight 2 :id a)
(assert-soft p :weight 2 ; half
  :id a ; of it
)

; A name within an assertion is bound and not printed, and so is one here.
; expect: prints (maximize (+ x 1))
; expect: prints (assert (> (+ x 1) 2))
(maximize (! (+ x 1) :named y))
(assert (> y 2))

; case: what is no objective of z3 is carried
; given:
(declare-const x Int)
(declare-const p Bool)

; expect: same
; expect: carried 1
(maximize p)

; expect: same
; expect: carried 1
(assert-soft x)

; expect: same
; expect: carried 1
(minimize cost :signed)
