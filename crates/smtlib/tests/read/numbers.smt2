; Numbers: integers where reals are meant, and numerals in logics of reals.

; given:
(declare-const i Int)
(declare-const r Real)
(declare-const s String)
(declare-const e RegLan)
(declare-const b (_ BitVec 8))
(declare-const f (_ FloatingPoint 5 11))
(declare-const p Bool)

; case: integers where reals are meant
; expect: prints (assert (< (to_real i) r))
(assert (< i r))

; expect: prints (assert (= r 1.0))
(assert (= r 1))

; expect: prints (assert (= 1.0 r))
(assert (= 1 r))

; expect: prints (assert (= 1.0 2.0 r))
(assert (= 1 2 r))

; expect: prints (assert (= (/ 1.0 3.0) r))
(assert (= (/ 1 3) r))

; expect: prints (assert (= (+ 1.0 r (to_real i)) 2.0))
(assert (= (+ 1 r i) 2))

; expect: prints (assert (= (ite p 1.0 r) r))
(assert (= (ite p 1 r) r))

; expect: prints (assert (= (to_real (ite p 1 2)) r))
(assert (= (ite p 1 2) r))

; expect: prints (assert (= (- 1.0) r))
(assert (= (- 1) r))

; expect: prints (assert (= (- 1) i))
(assert (= -1 i))

; expect: prints (assert (= (- 1.5) r))
(assert (= -1.5 r))

; expect: prints (assert (= r r))
(assert (= (to_real r) r))

; expect: same
(assert (= (to_real 5) r))

; expect: prints (assert (is_int (to_real i)))
(assert (is_int i))

; expect: prints (assert (distinct (to_real i) r 3.0))
(assert (distinct i r 3))

; expect: prints (assert (= 1.0 r 0.5 0.0))
(assert (= 1. r 0.500 000))

; given:

; expect: error 2:13: `mod` cannot take (Real Int): expected (Int Int)
(declare-const r Real)
(assert (= (mod r 2) 0))

; expect: prints (declare-fun g (Real) Bool)
; expect: prints (assert (g 1.0))
(declare-fun g (Real) Bool)
(assert (g 1))

; case: numerals in logics of reals only
; expect: prints (set-logic QF_LRA)
; expect: prints (declare-fun r () Real)
; expect: prints (assert (= r 1.0))
(set-logic QF_LRA)
(declare-const r Real)
(assert (= r 1))

; given:
(set-logic QF_LRA)

; expect: prints (assert (= 1.0 (- 2.0)))
(assert (= 1 (- 2)))

; given:

; expect: prints (set-logic LRA)
; expect: prints (declare-fun r () Real)
; expect: prints (assert (= r 1.0))
(set-logic LRA)
(declare-const r Real)
(assert (= r 1))

; expect: prints (set-logic LRA)
; expect: prints (assert (= 1.0 (- 2.0)))
(set-logic LRA)
(assert (= 1 (- 2)))

; expect: prints (set-logic QF_NRA)
; expect: prints (declare-fun r () Real)
; expect: prints (assert (= r 1.0))
(set-logic QF_NRA)
(declare-const r Real)
(assert (= r 1))

; expect: prints (set-logic QF_NRA)
; expect: prints (assert (= 1.0 (- 2.0)))
(set-logic QF_NRA)
(assert (= 1 (- 2)))

; expect: prints (set-logic QF_RDL)
; expect: prints (declare-fun r () Real)
; expect: prints (assert (= r 1.0))
(set-logic QF_RDL)
(declare-const r Real)
(assert (= r 1))

; expect: prints (set-logic QF_RDL)
; expect: prints (assert (= 1.0 (- 2.0)))
(set-logic QF_RDL)
(assert (= 1 (- 2)))

; expect: prints (set-logic QF_UFLRA)
; expect: prints (declare-fun r () Real)
; expect: prints (assert (= r 1.0))
(set-logic QF_UFLRA)
(declare-const r Real)
(assert (= r 1))

; expect: prints (set-logic QF_UFLRA)
; expect: prints (assert (= 1.0 (- 2.0)))
(set-logic QF_UFLRA)
(assert (= 1 (- 2)))

; expect: prints (set-logic UFNRA)
; expect: prints (declare-fun r () Real)
; expect: prints (assert (= r 1.0))
(set-logic UFNRA)
(declare-const r Real)
(assert (= r 1))

; expect: prints (set-logic UFNRA)
; expect: prints (assert (= 1.0 (- 2.0)))
(set-logic UFNRA)
(assert (= 1 (- 2)))

; expect: prints (set-logic QF_FPLRA)
; expect: prints (declare-fun r () Real)
; expect: prints (assert (= r 1.0))
(set-logic QF_FPLRA)
(declare-const r Real)
(assert (= r 1))

; expect: prints (set-logic QF_FPLRA)
; expect: prints (assert (= 1.0 (- 2.0)))
(set-logic QF_FPLRA)
(assert (= 1 (- 2)))

; expect: same
(set-logic QF_LIA)
(assert (= 1 2))

; expect: same
(set-logic ALL)
(assert (= 1 2))

; expect: same
(set-logic AUFLIRA)
(assert (= 1 2))

; expect: same
(set-logic QF_LIRA)
(assert (= 1 2))

; expect: same
(set-logic AUFNIRA)
(assert (= 1 2))

; expect: same
(set-logic QF_NIRA)
(assert (= 1 2))

; given:
(set-logic QF_LRA)

; Indices stay numerals, and a new logic forgets what literals meant.
; expect: same
(assert (= ((_ extract 1 0) #b11) #b11))

; given:

; expect: prints (assert (= 1 1))
; expect: prints (reset)
; expect: prints (set-logic LRA)
; expect: prints (assert (= 1.0 1.0))
(assert (= 1 1))
(reset)
(set-logic LRA)
(assert (= 1 1))
