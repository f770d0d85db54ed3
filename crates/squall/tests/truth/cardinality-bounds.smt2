; Bounds on the number of true formulas and on sums with coefficients, as z3 has them.
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(push 1)
(assert ((_ at-most 1) p q r))
(assert ((_ pbge 3 2 1 1) p q r))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert ((_ at-least 2) p q r))
(assert ((_ pbeq 3 1 2 4) p q r))
(assert (! ((_ pble 3 1 2 4) p q r) :named below))
; expect: sat
(check-sat)
(assert r)
; expect: unsat
(check-sat)
(pop 1)
(assert (not ((_ at-least 0) p)))
; expect: unsat
(check-sat)
