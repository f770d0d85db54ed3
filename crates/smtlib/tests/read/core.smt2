; Connectives, equality and `ite`, with the spellings that solvers read beyond the standard.

; given:
(declare-const i Int)
(declare-const r Real)
(declare-const s String)
(declare-const e RegLan)
(declare-const b (_ BitVec 8))
(declare-const f (_ FloatingPoint 5 11))
(declare-const p Bool)

; case: core and what is read beyond it
; expect: same
(assert (=> p p p))

; expect: prints (assert true)
(assert (and))

; expect: prints (assert false)
(assert (or))

; expect: prints (assert p)
(assert (and p))

; expect: prints (assert (= i i))
(assert (= (+ i) i))

; expect: prints (assert (=> p (= p (ite p p p))))
(assert (implies p (iff p (if p p p))))

; expect: same
(assert (xor p p p))

; expect: same
(assert (distinct i 1 2))

; expect: prints (assert (and p true))
(assert (|and| p true))

; given:

; expect: error 1:17: `/` cannot take (Real): expected (Real Real …)
(assert (= 1.0 (/ 2.0)))

; expect: error 1:10: the indices of `divisible` do not fit (Int) | expected an index above 0
(assert ((_ divisible 0) 1))

; expect: error 1:10: `not` cannot take (): expected (Bool)
(assert (not))

; expect: error 1:10: `and` cannot take (Bool Int): expected (Bool Bool …)
(assert (and true 1))

; expect: error 1:10: `ite` cannot take (Bool Int String): expected (Bool A A)
(assert (ite true 1 "a"))

; expect: error 1:10: a constant in its own parentheses | write it without: only what takes arguments is applied
(assert (true))
