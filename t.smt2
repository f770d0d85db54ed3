(declare-const x Real)(assert (= x 0.5))(assert (= x (/ 1.0 2.0)))(check-sat)
