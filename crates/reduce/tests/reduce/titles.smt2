; A title names the first operators of a script in their order.

; case: operators
; title:
; expect: title str.<=
(assert (str.<= "9" "93"))

; title:
; expect: title >, +, *, mod
(declare-const a Int)
(assert (and (> (+ a 1) 2) (= (* a a) (mod a 3))))

; title:
; expect: title >, -, +, *, …
(declare-const a Int)
(assert (> (- (+ a 1) (* a 2)) (div a 3)))
(assert (= (mod a 2) 1))

; title:
; expect: title fp.neg
(assert (= (fp.neg (_ +oo 3 2)) (_ -oo 3 2)))

; title:
; expect: title constant arrays, store
(assert (= ((as const (Array Bool Bool)) true) (store ((as const (Array Bool Bool)) false) false true)))

; case: no operator of a theory
; title:
; expect: title quantifiers, functions
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (= (f x) 1)))

; title:
; expect: title
(declare-const p Bool)
(assert (not p))

; title:
; expect: title
(assert
