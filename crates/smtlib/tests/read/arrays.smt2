; Arrays.

; given:
(declare-const a (Array Int Real))

; case: arrays
; expect: prints (assert (= (select (store a 1 2.0) 3) 4.0))
(assert (= (select (store a 1 2) 3) 4))

; expect: prints (assert (= a ((as const (Array Int Real)) 0.0)))
(assert (= a ((as const (Array Int Real)) 0)))

; given:

; expect: error 2:10: `select` cannot take ((Array Int Bool) Bool): expected ((Array A B) A)
(declare-const a (Array Int Bool))
(assert (select a true))
