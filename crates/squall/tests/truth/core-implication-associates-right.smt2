; (=> a b c) is (=> a (=> b c)).
; model: (define-fun a () Bool false) (define-fun b () Bool false) (define-fun c () Bool false)
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (distinct (=> a b c) (=> (=> a b) c)))
; expect: sat
(check-sat)
