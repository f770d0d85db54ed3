; Commands and terms that only some solvers know: they are carried as text.

; case: extensions are carried as text
; expect: same
(check-sat-using smt)

; expect: same
(check-sat-using (then simplify (using-params smt :timeout 5)))

; expect: same
; expect: carried 1
(minimize (+ x 1))

; expect: same
; expect: carried 1
(assert-soft p :weight 2)

; expect: same
; expect: carried 1
(rule (=> (a) (b)))

; expect: same
; expect: carried 1
(query (r 1))

; expect: same
; expect: carried 1
(eval (+ x 1))

; expect: same
; expect: carried 1
(simplify (and p true))

; expect: same
; expect: carried 1
(synth-fun f ((x Int)) Int)

; expect: same
; expect: carried 1
(block-model :literals)

; expect: same
; expect: carried 1
(get-interpolant A (> x 0))

; expect: same
; expect: carried 1
(apply simplify)

; case: terms of other theories are carried as text
; expect: same
; expect: carried 6
(declare-fun s () Unicode)
(declare-fun t () Unicode)
(declare-fun k () (_ FiniteField 7))
(assert (= (char.to_int s) 3))
(assert (char.is_digit t))
(assert (! (char.<= s t) :named inner))
(assert inner)
(define-fun g ((x Unicode)) Int (char.to_int x))
(assert (= (g s) 1))
(assert (= s s))

; A name that only such a command declares makes the commands that use it text, too.
; expect: same
; expect: carried 2
(declare-codatatypes ((S 0)) (((cons (hd Int) (tl S)))))
(declare-fun x () S)
(assert (= (hd x) 1))

; case: declared tactics are expanded
; Z3 knows the name of a declared tactic. Each check contains the tactic itself.
; expect: prints (declare-tactic t (then simplify smt))
; expect: prints (declare-tactic u (or-else t (using-params t :k t)))
; expect: prints (check-sat-using (or-else (then simplify smt) (using-params (then simplify smt) :k t)))
; expect: prints (check-sat-using v)
; expect: carried 2
(declare-tactic t (then simplify smt))
(declare-tactic u (or-else t (using-params t :k t)))
(check-sat-using u)
(check-sat-using v)
