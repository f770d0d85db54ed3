; Strings and regular expressions.

; given:
(declare-const i Int)
(declare-const r Real)
(declare-const s String)
(declare-const e RegLan)
(declare-const b (_ BitVec 8))
(declare-const f (_ FloatingPoint 5 11))
(declare-const p Bool)

; case: strings and regular expressions
; expect: same
(assert (= s "a""b"))

; expect: prints (assert (= s "AB\u{1f600}"))
(assert (= s "\u{41}\u0042\u{1F600}"))

; What is no escape is read as it is written, and printed so that it does not become one.
; expect: prints (assert (= s "\u{5c}x41\u{5c}u{}\u{5c}u{30000}\u{5c}u12"))
(assert (= s "\x41\u{}\u{30000}\u12"))

; expect: prints (assert (= s "tab\u{9}here \u{e9}"))
(assert (= s "tab	here é"))

; expect: prints (assert (= s "A"))
(assert (= s (_ char #x41)))

; expect: prints (assert (str.in_re s (str.to_re "a")))
(assert (str.in.re s (str.to.re "a")))

; expect: prints (assert (= (str.from_int i) s))
(assert (= (int.to.str i) s))

; expect: prints (assert (str.in_re s ((_ re.loop 1 3) e)))
(assert (str.in_re s (re.loop e 1 3)))

; expect: same
(assert (str.in_re s ((_ re.loop 1 3) e)))

; expect: prints (assert (str.in_re s (re.++ ((_ re.^ 2) e) (re.* e))))
(assert (str.in_re s ((_ re.loop 2) e)))

; expect: prints (assert (str.in_re s (re.++ ((_ re.^ 2) e) (re.* e))))
(assert (str.in_re s (re.loop e 2)))

; expect: prints (assert (str.in_re s ((_ re.^ 3) e)))
(assert (str.in_re s (re.^ e 3)))

; expect: prints (assert (str.in_re s e))
(assert (str.in_re s (re.union e)))

; given:

; expect: error 1:12: a character above 0x2FFFF | SMT-LIB characters are the code points 0 to 0x2FFFF
(assert (= "𰀀" ""))

; expect: error 1:20: not a code point | expected #x0 to #x2FFFF
(assert (= (_ char #x30000) ""))
