; Operands may mention orders; Z3 5.4.1 answers `sat`.
(assert (not ((_ piecewise-linear-order 1) true ((_ partial-order 0) true true))))
; expect: unsat
(check-sat)
