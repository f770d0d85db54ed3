(declare-const x String)
(declare-const y String)
(assert (distinct (str.len (str.++ x y)) (+ (str.len x) (str.len y))))
; expect: unsat
(check-sat)
