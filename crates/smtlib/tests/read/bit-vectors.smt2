; Bit-vectors.

; given:
(declare-const i Int)
(declare-const r Real)
(declare-const s String)
(declare-const e RegLan)
(declare-const b (_ BitVec 8))
(declare-const f (_ FloatingPoint 5 11))
(declare-const p Bool)

; case: bit vectors
; expect: prints (assert (= b #xff))
(assert (= b #xfF))

; expect: prints (assert (= b #x05))
(assert (= b (_ bv5 8)))

; expect: prints (assert (= b #x00))
(assert (= b (_ bv256 8)))

; expect: prints (assert (= #b101 #b101))
(assert (= #b101 (_ bv5 3)))

; expect: same
(assert (= (bvadd b b b) b))

; expect: prints (assert (= (concat (concat b b) b) ((_ repeat 3) b)))
(assert (= (concat b b b) ((_ repeat 3) b)))

; expect: same
(assert (= ((_ extract 7 7) b) (bvcomp b b)))

; expect: prints (assert (= ((_ int_to_bv 8) i) ((_ int_to_bv 8) (ubv_to_int b))))
(assert (= ((_ int2bv 8) i) ((_ nat2bv 8) (bv2nat b))))

; expect: error 1:13: the indices of `extract` do not fit ((_ BitVec 8)) | expected (_ extract i j) with j <= i below the width
(assert (= ((_ extract 8 0) b) b))

; expect: error 1:10: `bvult` cannot take ((_ BitVec 8) (_ BitVec 1)): expected ((_ BitVec m) (_ BitVec m))
(assert (bvult b #b1))

; expect: error 1:17: a bit-vector literal out of range | expected a width of 1 to 16777216 and at most 2000000 digits, all long numbers together
(assert (= b (_ bv5 0)))

; expect: error 1:14: a malformed bit-vector literal | expected #x and hexadecimal digits, or #b and binary digits
(assert (= b #xg))

; expect: error 1:15: the indices of `zero_extend` do not fit ((_ BitVec 8)) | the result must have 1 to 16777216 bits
(assert (= b ((_ zero_extend 4294967295) b)))
