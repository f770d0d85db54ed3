(declare-fun a () (_ FloatingPoint 2 5))
(assert (= (fp.sqrt RNE a) (fp #b0 #b00 #x4)))
(check-sat)
