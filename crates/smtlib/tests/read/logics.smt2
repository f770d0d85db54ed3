; The logic that a script needs: the smallest standard one (`logic`), and the name that is made of its parts (`named`).

; case: the smallest standard logic is inferred
; expect: logic QF_UF
(declare-const p Bool)
(assert p)
(check-sat)

; expect: logic QF_UF
(declare-sort S 0)
(declare-const a S)
(declare-const b S)
(assert (= a b))
(check-sat)

; expect: logic QF_IDL
(declare-const x Int)
(declare-const y Int)
(assert (< x y))
(check-sat)

; expect: logic QF_LIA
(declare-const x Int)
(declare-const y Int)
(assert (< (+ x y) 3))
(check-sat)

; expect: logic QF_NIA
(declare-const x Int)
(declare-const y Int)
(assert (< (* x y) 3))
(check-sat)

; expect: logic QF_LRA
(declare-const x Real)
(declare-const y Real)
(assert (< (* 2.0 x) y))
(check-sat)

; expect: logic QF_LIRA
(declare-const x Real)
(declare-const i Int)
(assert (< (to_real i) (+ x 1.0)))
(check-sat)

; expect: logic QF_NRA
(declare-const x Real)
(assert (= (* x x) 2.0))
(check-sat)

; expect: logic QF_BV
(declare-const b (_ BitVec 4))
(assert (= (bvmul b b) #x1))
(check-sat)

; expect: logic QF_ABV
(declare-const a (Array (_ BitVec 4) (_ BitVec 4)))
(assert (= (select a #x0) #x1))
(check-sat)

; expect: logic QF_AUFLIA
(declare-fun f (Int) Int)
(declare-const a (Array Int Int))
(assert (= (f 1) (+ 1 (select a 2))))
(check-sat)

; expect: logic QF_SLIA
(declare-const s String)
(assert (= (str.len s) (+ 1 (str.len "a"))))
(check-sat)

; expect: logic QF_FP
(declare-const f Float32)
(assert (fp.isNaN f))
(check-sat)

; expect: logic UFLIA
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (> (f x) (+ x 1))))
(check-sat)

; expect: logic QF_UFNIA
(define-fun g ((x Int)) Int (* x x))
(declare-const y Int)
(assert (= (g y) 4))
(check-sat)

; expect: logic QF_UFDTLIA
(declare-datatype L ((nil) (cons (hd Int) (tl L))))
(declare-const l L)
(assert (= l nil))
(check-sat)

; expect: logic ALL
(declare-const s (Seq Int))
(assert (= s s))
(check-sat)

; expect: logic ALL
(declare-const s (Set Int))
(assert (= s s))
(check-sat)

; expect: logic ALL
(declare-const b (Bag Int))
(assert (= b b))
(check-sat)

; case: names are composed by the convention
; expect: named QF_UF

(check-sat)

; expect: named QF_IDL
(declare-const x Int)
(assert (< x 3))
(check-sat)

; expect: named QF_RDL
(declare-const x Real)
(assert (< x 3.0))
(check-sat)

; expect: named QF_LRA
(declare-const x Real)
(assert (< (* 2.0 x) 3.0))
(check-sat)

; expect: named QF_AX
(declare-sort U 0)
(declare-const a (Array U U))
(assert (= a a))
(check-sat)

; The logics of arrays of bit-vectors and numbers have free sorts only with functions.
; expect: named QF_AUFBV
(declare-sort U 0)
(declare-const a (Array (_ BitVec 2) (_ BitVec 2)))
(assert (= a a))
(check-sat)

; expect: named QF_AUFLIA
(declare-sort U 0)
(declare-const a (Array Int Int))
(assert (= a a))
(check-sat)

; expect: named QF_UFNIRA
(declare-fun f (Int) Int)
(declare-const r Real)
(assert (= (* r r) 2.0))
(check-sat)

; expect: named QF_SLIA
(declare-const s String)
(assert (= (str.len s) 3))
(check-sat)

; expect: named ALL
(declare-const s String)
(declare-const b (_ BitVec 4))
(assert (= s s))
(check-sat)

; expect: named QF_BVDTLIA
(declare-const b (_ BitVec 4))
(declare-datatype D ((c (f Int))))
(assert (= b #x0))
(check-sat)

; expect: named LIA
(assert (forall ((x Int)) (> x 0)))
(check-sat)

; expect: named QF_FF
(declare-const x (_ FiniteField 7))
(assert (= (ff.mul x x) #f2m7))
(check-sat)

; expect: named QF_UFFPFF
(declare-const x (_ FiniteField 7))
(assert (= (ff.mul x x) #f2m7))
(declare-fun f ((_ FiniteField 7)) (_ FiniteField 7))
(declare-const y (_ FloatingPoint 3 3))
(check-sat)

; expect: named ALL
(declare-const i Int)
(declare-const x (_ FiniteField 7))
(assert (= (ff.mul x x) #f2m7))
(check-sat)

; case: declarations that no assertion uses count
; No standard logic has integers and bit-vectors alone.
; expect: logic ALL
(declare-const x Int)
(declare-const b (_ BitVec 4))
(assert (= b #x1))
(check-sat)

; expect: logic QF_UFIDL
(declare-fun f (Int) Int)
(assert true)
(check-sat)

; case: what a logic holds and what is beyond it
; expect: within
(set-logic QF_UFNIA)
(declare-fun a (Int) Int)
(declare-const x Int)
(assert (= (* x x) 2))
(check-sat)

; expect: beyond
(set-logic QF_NIA)
(declare-fun a (Int) Int)
(declare-const x Int)
(assert (= (* x x) 2))
(check-sat)

; expect: beyond
(set-logic QF_UFLIA)
(declare-fun a (Int) Int)
(declare-const x Int)
(assert (= (* x x) 2))
(check-sat)

; expect: within
(set-logic ALL)
(declare-fun a (Int) Int)
(declare-const x Int)
(assert (= (* x x) 2))
(check-sat)

; expect: beyond
(set-logic HORN)
(declare-fun a (Int) Int)
(declare-const x Int)
(assert (= (* x x) 2))
(check-sat)

; expect: beyond
(set-logic QF_FF)
(declare-const x (_ FiniteField 7))
(declare-const b (_ BitVec 2))
(assert (= (ff.mul x x) #f2m7))
(check-sat)

; expect: beyond
(set-logic QF_BV)
(declare-const x (_ FiniteField 7))
(declare-const b (_ BitVec 2))
(assert (= (ff.mul x x) #f2m7))
(check-sat)

; cvc5 takes the letters in any order; no list of logics has fields.
; expect: within
(set-logic QF_BVFF)
(declare-const x (_ FiniteField 7))
(declare-const b (_ BitVec 2))
(assert (= (ff.mul x x) #f2m7))
(check-sat)

; expect: within
(set-logic QF_FFBV)
(declare-const x (_ FiniteField 7))
(declare-const b (_ BitVec 2))
(assert (= (ff.mul x x) #f2m7))
(check-sat)

; expect: within
(set-logic ALL)
(declare-const x (_ FiniteField 7))
(declare-const b (_ BitVec 2))
(assert (= (ff.mul x x) #f2m7))
(check-sat)

; expect: within
(set-logic QF_UF)
(declare-const p Bool)
(check-sat-assuming (p))

; expect: beyond
(set-logic QF_UF)
(declare-const x Int)
(check-sat-assuming ((> x 0)))

; Without a logic nothing is beyond it.
; expect: within
(declare-const x Int)
(assert (> x 0))
(check-sat)

; given:
(declare-const s (Set Int))

; case: sets that are arrays
; In z3, `(Set T)` is an array: a script that uses it so has no finite sets.
; expect: sets arrays
; expect: carried 1
(assert (select s 1))

; expect: sets arrays
; expect: carried 1
(assert (= s s))
(assert (= (union s s) s))

; case: sets that are finite sets
; expect: sets finite
(assert (= s s))

; expect: sets finite
(assert (= (set.union s s) s))

; expect: sets finite
(assert (= (set.choose s) 1))

; expect: sets finite
(declare-const q (Seq Int))
(assert (= (seq.len q) 1))
(assert (set.member 1 s))

; expect: sets finite
(minimize 1)
(assert (= s s))
