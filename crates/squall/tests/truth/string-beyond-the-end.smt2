(declare-const x String)
(assert (or (distinct (str.at x (str.len x)) "") (distinct (str.at x (- 1)) "")))
; expect: unsat
(check-sat)
