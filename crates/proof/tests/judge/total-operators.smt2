(set-logic ALL)
(declare-const x Int)
(assert (= (mod x 2) 5))
(check-sat)
