; Separation logic: the heap, and formulas about it.

; case: printed as it is read
; expect: same
; expect: check 0: ALL 2 declared, [(sep (pto x #b0) (not sep.emp)) (wand sep.emp (pto (as sep.nil (_ BitVec 2)) #b1))] -
(set-logic ALL)
(declare-heap ((_ BitVec 2) (_ BitVec 1)))
(declare-fun x () (_ BitVec 2))
(assert (sep (pto x #b0) (not sep.emp)))
(assert (wand sep.emp (pto (as sep.nil (_ BitVec 2)) #b1)))
(check-sat)

; case: three parts
; expect: same
(declare-heap (Int Bool))
(assert (sep (pto 1 true) sep.emp true))

; case: integers are read as reals
; expect: prints (declare-heap (Int Real))
; expect: prints (assert (pto 1 2.0))
(declare-heap (Int Real))
(assert (pto 1 2))

; case: data of another sort
; expect: error 2:10: `pto` cannot take (Int Int)
(declare-heap (Int Bool))
(assert (pto 1 2))

; case: a part that is no formula
; expect: error 2:10: `sep` cannot take (Bool Int): expected
(declare-heap (Int Bool))
(assert (sep true 1))

; case: one part
; expect: error 2:10: `sep` cannot take (Bool)
(declare-heap (Int Bool))
(assert (sep true))

; case: three of two
; expect: error 2:10: `wand` cannot take (Bool Bool Bool): expected (Bool Bool)
(declare-heap (Int Bool))
(assert (wand true true true))

; case: without a heap, and with nil of another sort
; expect: carried 2
(assert (pto 1 2))
(declare-heap (Int Bool))
(assert (= (as sep.nil Bool) true))

; case: names of one's own
; expect: same
(declare-fun pto (Int) Bool)
(declare-fun sep () Bool)
(assert (and sep (pto 1)))

; case: several heaps are carried
; expect: carried 3
(declare-heap (Int Bool))
(declare-heap (Int Bool))
(push 1)
(reset)
(push 1)
(declare-heap (Int Bool))
(pop 1)
(declare-heap (Int Bool) (Bool Int))

; case: after reset there is none
; expect: carried 1
(declare-heap (Int Bool))
(reset)
(assert sep.emp)
