; Floating-point numbers.

; given:
(declare-const i Int)
(declare-const r Real)
(declare-const s String)
(declare-const e RegLan)
(declare-const b (_ BitVec 8))
(declare-const f (_ FloatingPoint 5 11))
(declare-const p Bool)

; case: floats
; expect: same
(assert (fp.eq f (fp #b0 #b00000 #b0000000000)))

; expect: prints (assert (= f (fp.add RNE f (_ NaN 5 11))))
(assert (= f (fp.add roundNearestTiesToEven f (_ NaN 5 11))))

; expect: same
(assert (= f ((_ to_fp 5 11) #x1234)))

; expect: same
(assert (= f ((_ to_fp 5 11) RTZ r) ((_ to_fp 5 11) RTZ f) ((_ to_fp 5 11) RTZ b)))

; expect: prints (assert (= f ((_ to_fp 5 11) RNA 1.0)))
(assert (= f ((_ to_fp 5 11) RNA 1)))

; expect: same
(assert (= f ((_ to_fp_unsigned 5 11) RTP b)))

; given:

; expect: prints (declare-fun g () (_ FloatingPoint 5 11))
; expect: prints (declare-fun h () (_ FloatingPoint 5 11))
; expect: prints (assert (= g h))
(declare-const g Float16)
(declare-const h (_ FloatingPoint 5 11))
(assert (= g h))
