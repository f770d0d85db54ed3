; One location of one bit is `sep.nil`, and the heap may have the other.
(set-logic ALL)
(declare-heap ((_ BitVec 1) Bool))
(declare-const x (_ BitVec 1))
(declare-const y (_ BitVec 1))
(assert (sep (pto x true) (not sep.emp)))
; expect: unsat
(check-sat)
