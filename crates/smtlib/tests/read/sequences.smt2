; Sequences, a theory of solvers.

; given:
(declare-const s (Seq Int))
(declare-const t (Seq (Seq Bool)))
(declare-const i Int)
(declare-const w String)

; case: terms
; expect: same
(assert (= s (as seq.empty (Seq Int))))

; expect: same
(assert (= t (seq.unit (as seq.empty (Seq Bool)))))

; expect: same
(assert (= s (seq.++ s (seq.unit i) s)))

; expect: prints (assert (= s s))
(assert (= (seq.++ s) s))

; expect: prints (assert (= (seq.indexof s s 0) 0))
(assert (= (seq.indexof s s) 0))

; expect: same
(assert (seq.nth (seq.nth t 0) 1))

; expect: same
(assert (= (seq.update s 0 (seq.rev s)) (seq.extract s 1 2)))

; given:

; case: sorts
; expect: error 1:19: this sort is given 2 arguments | expected the sort of the elements
(declare-const s (Seq Int Int))

; expect: error 1:18: this sort is given 0 arguments | expected the sort of the elements
(declare-const s Seq)

; A script's own sort of that name hides the theory's.
; expect: same
(declare-sort Seq 0)
(declare-fun s () Seq)
(assert (= s s))

; case: errors
; expect: error 5:10: `seq.contains` cannot take ((Seq Int) (Seq (Seq Bool))): expected ((Seq A) (Seq A))
(declare-const s (Seq Int))
(declare-const t (Seq (Seq Bool)))
(declare-const i Int)
(declare-const w String)
(assert (seq.contains s t))

; expect: error 5:15: `seq.++` cannot take ((Seq Int) (Seq Bool)): expected ((Seq A) (Seq A) …)
(declare-const s (Seq Int))
(declare-const t (Seq (Seq Bool)))
(declare-const i Int)
(declare-const w String)
(assert (= s (seq.++ s (seq.unit true))))

; expect: error 5:13: `seq.nth` cannot take ((Seq Int) (Seq Int)): expected ((Seq A) Int)
(declare-const s (Seq Int))
(declare-const t (Seq (Seq Bool)))
(declare-const i Int)
(declare-const w String)
(assert (= (seq.nth s s) 1))

; case: what stays text
; Operators of strings on sequences and the reverse are some solver's: the command is text.
; expect: same
; expect: carried 1
(declare-fun s () (Seq Int))
(declare-fun w () String)
(declare-fun f (Int) Int)
(assert (= (seq.len w) 1))

; expect: same
; expect: carried 1
(declare-fun s () (Seq Int))
(declare-fun w () String)
(declare-fun f (Int) Int)
(assert (= (str.len s) 1))

; expect: same
; expect: carried 1
(declare-fun s () (Seq Int))
(declare-fun w () String)
(declare-fun f (Int) Int)
(assert (= s seq.empty))
