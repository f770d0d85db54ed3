; Whether 114 is a sum of three cubes is an open problem.
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))
; expect: open
(check-sat)
