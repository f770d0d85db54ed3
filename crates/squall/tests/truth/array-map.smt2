(declare-const a (Array (_ BitVec 2) Bool))
(declare-const b (Array (_ BitVec 2) Bool))
(declare-const f (Array Int Int))
(assert (select ((_ map and) a b) #b00))
; expect: sat
(check-sat)
(push 1)
(assert (= ((_ map not) a) b))
; expect: unsat
(check-sat)
(pop 1)
(assert (= (select f 2) 3))
(assert (not (= (select ((_ map (+ (Int Int) Int)) f f) 2) 6)))
; expect: unsat
(check-sat)
