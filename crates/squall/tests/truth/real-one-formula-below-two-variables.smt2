; One formula below two quantifiers is about two numbers, each of which has its own y.
(assert (not (exists ((z Real))
  (and (= (* z z) 2.0)
       (exists ((x Real)) (and (< x z) (exists ((y Real)) (and (< y x) (> y (- x 1.0))))))
       (exists ((x Real)) (and (> x (+ z 5.0)) (exists ((y Real)) (and (< y x) (> y (- x 1.0)))))))))
)
; expect: unsat
(check-sat)
