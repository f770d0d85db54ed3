; expect: sat
(check-sat)
