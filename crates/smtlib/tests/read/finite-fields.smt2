; Finite fields: their sorts and literals, of small and of cryptographic orders, and their operators.

; given:
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y (_ FiniteField 7))
(declare-const b (_ FiniteField 2))
(declare-const i Int)

; case: literals are normalised
; expect: same
(assert (= x #f3m7))

; expect: prints (assert (= x #f3m7))
(assert (= x #f10m7))

; expect: prints (assert (= x #f6m7))
(assert (= x #f-1m7))

; expect: prints (assert (= x #f0m7))
(assert (= x #f-14m7))

; expect: prints (assert (= x #f3m7))
(assert (= x #f003m07))

; expect: prints (assert (= x #f3m7))
(assert (= x (as ff3 F)))

; expect: prints (assert (= x #f6m7))
(assert (= x (as ff-1 (_ FiniteField 7))))

; expect: prints (assert (= x #f5m7))
(assert (= x (as |ff12| F)))

; expect: prints (assert (= b #f1m2))
(assert (= b #f3m2))

; expect: prints (assert (= x #f1m7))
(assert (= x #f123456789012345678901234567891m7))

; given:

; expect: prints (assert (= #f57896044618658097711785492504343953926634992332820282019728792003956564819948m57896044618658097711785492504343953926634992332820282019728792003956564819949 #f1m57896044618658097711785492504343953926634992332820282019728792003956564819949))
(assert (= #f-1m57896044618658097711785492504343953926634992332820282019728792003956564819949 #f1m57896044618658097711785492504343953926634992332820282019728792003956564819949))

; given:
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y (_ FiniteField 7))
(declare-const b (_ FiniteField 2))
(declare-const i Int)

; case: terms
; expect: same
(assert (= (ff.add x y #f1m7) (ff.mul x y) (ff.neg y)))

; expect: same
(assert (distinct (ff.bitsum x y x y) (ite (= x y) x #f0m7)))

; expect: same
(assert (forall ((z (_ FiniteField 7))) (= (ff.mul z x) z)))

; cvc5 requires two arguments except for `ff.neg`. An associative operator on one argument is that argument.
; expect: prints (assert (= x y))
(assert (= (ff.add x) y))

; expect: prints (assert (= x y))
(assert (= (ff.mul x) y))

; given:

; case: sorts
; expect: same
(declare-fun z () (_ FiniteField 57896044618658097711785492504343953926634992332820282019728792003956564819949))

; expect: same
(declare-fun f ((_ FiniteField 5)) (Array (_ FiniteField 5) (_ FiniteField 3)))
(declare-fun s () (Seq (_ FiniteField 5)))

; A script's own sort of that name hides the theory's.
; expect: same
(declare-sort FiniteField 0)
(declare-fun u () FiniteField)

; A constant of a script's own may have the name of a literal, and `as` then means it, as in cvc5.
; expect: prints (declare-fun ff1 () (_ FiniteField 7))
; expect: prints (assert (= ff1 #f0m7))
(declare-fun ff1 () (_ FiniteField 7))
(assert (= (as ff1 (_ FiniteField 7)) #f0m7))

; case: what is no field
; expect: error 1:33: a finite field of order 6 | the order of a finite field must be prime
(declare-const x (_ FiniteField 6))

; expect: error 1:33: a finite field of order 1 | the order of a finite field must be prime
(declare-const x (_ FiniteField 1))

; expect: error 1:33: a finite field of order 0 | the order of a finite field must be prime
(declare-const x (_ FiniteField 0))

; There is no field of a power of a prime either, although mathematics has one.
; expect: error 1:33: a finite field of order 4 | the order of a finite field must be prime
(declare-const x (_ FiniteField 4))

; expect: error 1:12: an element of no field: #f1m9 | the order of a finite field must be prime
(assert (= #f1m9 #f1m9))

; expect: error 1:33: a finite field of order 5789604461865809771178549250434395392663… | the order of a finite field must be prime
(declare-const x (_ FiniteField 578960446186580977117854925043439539266349923328202820197287920039565648199491))

; expect: error 1:33: a finite field of order 1000000000000000000000000000000000000000… | the order of a finite field may have at most 1024 bits
(declare-const x (_ FiniteField 10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000))

; expect: error 1:33: unexpected `#b11` | expected the number of elements, a prime
(declare-const x (_ FiniteField #b11))

; expect: error 1:35: unexpected `5` | expected `)`
(declare-const x (_ FiniteField 5 5))

; expect: error 1:18: a finite field needs its order | write (_ FiniteField 7)
(declare-const x FiniteField)

; case: errors
; expect: error 1:12: a malformed literal of a finite field | expected #fNmP, the element N of the field of P elements
(assert (= #f #f))

; expect: error 1:12: a malformed literal of a finite field | expected #fNmP, the element N of the field of P elements
(assert (= #f1 #f1))

; expect: error 1:12: a malformed literal of a finite field | expected #fNmP, the element N of the field of P elements
(assert (= #fm5 #fm5))

; expect: error 1:12: a malformed literal of a finite field | expected #fNmP, the element N of the field of P elements
(assert (= #f1m #f1m))

; expect: error 1:12: a malformed literal of a finite field | expected #fNmP, the element N of the field of P elements
(assert (= #f--1m5 #f--1m5))

; expect: error 1:12: a malformed literal of a finite field | expected #fNmP, the element N of the field of P elements
(assert (= #f1m-5 #f1m-5))

; expect: error 1:12: a malformed literal of a finite field | expected #fNmP, the element N of the field of P elements
(assert (= #f1m5m #f1m5m))

; expect: error 1:12: a malformed literal of a finite field | expected #fNmP, the element N of the field of P elements
(assert (= #f1x5 #f1x5))

; expect: error 1:12: a malformed literal of a finite field | expected #fNmP, the element N of the field of P elements
(assert (= #fam5 #fam5))

; expect: error 6:15: `ff.add` cannot take ((_ FiniteField 7) (_ FiniteField 2)): expected ((_ FiniteField p) (_ FiniteField p) …)
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y (_ FiniteField 7))
(declare-const b (_ FiniteField 2))
(declare-const i Int)
(assert (= x (ff.add x b)))

; expect: error 6:15: `ff.mul` cannot take ((_ FiniteField 7) Int): expected ((_ FiniteField p) (_ FiniteField p) …)
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y (_ FiniteField 7))
(declare-const b (_ FiniteField 2))
(declare-const i Int)
(assert (= x (ff.mul x 1)))

; expect: error 6:15: `ff.bitsum` cannot take ((_ FiniteField 7)): expected ((_ FiniteField p) (_ FiniteField p) …)
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y (_ FiniteField 7))
(declare-const b (_ FiniteField 2))
(declare-const i Int)
(assert (= x (ff.bitsum x)))

; expect: error 6:15: `ff.neg` cannot take ((_ FiniteField 7) (_ FiniteField 7)): expected ((_ FiniteField p))
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y (_ FiniteField 7))
(declare-const b (_ FiniteField 2))
(declare-const i Int)
(assert (= x (ff.neg x y)))

; expect: error 6:10: `=` cannot take (Int (_ FiniteField 7)): expected (A A …)
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y (_ FiniteField 7))
(declare-const b (_ FiniteField 2))
(declare-const i Int)
(assert (= i #f1m7))

; expect: error 6:18: `Int` is not a finite field | expected (_ FiniteField p) after a constant ffN
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y (_ FiniteField 7))
(declare-const b (_ FiniteField 2))
(declare-const i Int)
(assert (= x (as ff1 Int)))

; expect: error 6:14: unknown symbol `ff1` | declare it before its first use
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y (_ FiniteField 7))
(declare-const b (_ FiniteField 2))
(declare-const i Int)
(assert (= x ff1))

; case: what stays text
; cvc5 has no `ff.sub`: a command with an operator that we do not know is text.
; expect: same
; expect: carried 1
(declare-fun x () (_ FiniteField 7))
(assert (= (ff.sub x x) x))
