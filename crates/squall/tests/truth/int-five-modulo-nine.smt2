; No sum of three cubes is 4 modulo 9.
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (<= 0 x 8))
(assert (<= 0 y 8))
(assert (<= 0 z 8))
(assert (= (mod (+ (* x x x) (* y y y) (* z z z)) 9) 4))
; expect: unsat
(check-sat)
