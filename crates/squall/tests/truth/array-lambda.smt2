(declare-const a (Array (_ BitVec 2) (_ BitVec 2)))
(declare-fun g ((_ BitVec 2)) (_ BitVec 2))
(assert (= a (lambda ((i (_ BitVec 2))) (bvadd i #b01))))
; expect: sat
(check-sat)
(push 1)
(assert (= (select a #b11) #b01))
; expect: unsat
(check-sat)
(pop 1)
(assert (= (_ as-array g) ((_ map (bvnot ((_ BitVec 2)) (_ BitVec 2))) a)))
; expect: sat
(check-sat)
(assert (= (g #b00) #b00))
; expect: unsat
(check-sat)
