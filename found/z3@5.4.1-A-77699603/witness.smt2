; The definitions make every assertion below true: sat is the only right answer.
(define-fun a () (_ FloatingPoint 2 5) (fp #b0 #b00 #x1))
(assert (= (fp.sqrt RNE a) (fp #b0 #b00 #x4)))
(check-sat)
