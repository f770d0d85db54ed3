; One formula below two quantifiers is about two numbers, each of which has its own y.
(declare-fun f (Int) Int)
(assert (exists ((z Int))
  (and (exists ((x Int)) (and (< x z) (exists ((y Int)) (= (f y) x))))
       (exists ((x Int)) (and (> x (+ z 5)) (exists ((y Int)) (= (f y) x)))))))
; expect: sat
(check-sat)
