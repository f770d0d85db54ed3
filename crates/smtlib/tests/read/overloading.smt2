; Names that are declared several times.

; given:
(declare-fun f (Int) Int)
(declare-fun f (Bool) Int)

; case: names of several meanings
; By the standard each symbol is declared once. Z3 and cvc5 take a name again for another rank, and so do files that people reduce.
; expect: same
(assert (distinct (f 1) (f true)))

; expect: error 1:13: no meaning of this name takes (String) | it is declared several times, for other arguments
(assert (= (f "a") 1))

; expect: error 1:14: `f` is already declared | choose another name, or (pop) or (reset) first
(declare-fun f (Bool) Int)

; expect: error 1:12: `f` has several meanings here | choose by the sort: (as f SORT)
(assert (= f f))

; given:

; As they are before they are made real.
; expect: prints (declare-fun f (Real) Int)
; expect: prints (declare-fun f (Bool) Int)
; expect: prints (assert (= (f 1.0) 1))
(declare-fun f (Real) Int)
(declare-fun f (Bool) Int)
(assert (= (f 1) 1))

; expect: same
(declare-fun f (Real) Int)
(declare-fun f (Int) Int)
(assert (= (f 1) (f 1.0)))

; given:
(declare-fun f (Int) Int)
(declare-fun f (Int) Bool)

; By their results.
; expect: same
(assert ((as f Bool) 1))

; expect: error 1:10: an ambiguous name on (Int) | choose by the result: (as NAME SORT)
(assert (f 1))

; given:
(declare-fun c () Int)
(declare-fun c () Bool)

; expect: same
(assert (= (as c Bool) (= (as c Int) 1)))

; expect: error 1:9: `c` has several meanings here | choose by the sort: (as c SORT)
(assert c)

; given:

; expect: same
(define-fun f ((x Int)) Int x)
(define-fun f ((x Bool)) Int 3)
(assert (= (f 3) (f true)))

; expect: same
(declare-fun f (Int) Int)
(push 1)
(declare-fun f (Bool) Int)
(assert (= (f 1) (f true)))
(pop 1)
(assert (= (f 1) 1))

; expect: error 7:13: `f` cannot take (Bool): expected (Int)
(declare-fun f (Int) Int)
(push 1)
(declare-fun f (Bool) Int)
(assert (= (f 1) (f true)))
(pop 1)
(assert (= (f 1) 1))
(assert (= (f true) 1))

; The name of a term is no function.
; expect: error 2:14: `f` is already declared | choose another name, or (pop) or (reset) first
(assert (! true :named f))
(declare-fun f (Int) Int)
