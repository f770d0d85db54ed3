(declare-const i Int)
(assert (distinct (select ((as const (Array Int Int)) 7) i) 7))
; expect: unsat
(check-sat)
