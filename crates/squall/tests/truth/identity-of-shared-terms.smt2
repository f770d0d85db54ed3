; Shared factors below a definition that is a sum: the degree doubles with each.
(declare-fun x () Real)
(define-fun sum () Real (+ x 1.0))
(define-fun high () Real (+ (let ((d0 (* x x))) (let ((d1 (* d0 d0))) (let ((d2 (* d1 d1))) (let ((d3 (* d2 d2))) (let ((d4 (* d3 d3))) (let ((d5 (* d4 d4))) (let ((d6 (* d5 d5))) (let ((d7 (* d6 d6))) (let ((d8 (* d7 d7))) (let ((d9 (* d8 d8))) (let ((d10 (* d9 d9))) (let ((d11 (* d10 d10))) d11)))))))))))) 1.0 (- 0.0 (+ (let ((d0 (* x x))) (let ((d1 (* d0 d0))) (let ((d2 (* d1 d1))) (let ((d3 (* d2 d2))) (let ((d4 (* d3 d3))) (let ((d5 (* d4 d4))) (let ((d6 (* d5 d5))) (let ((d7 (* d6 d6))) (let ((d8 (* d7 d7))) (let ((d9 (* d8 d8))) (let ((d10 (* d9 d9))) (let ((d11 (* d10 d10))) d11)))))))))))) 1.0))))
; expect: sat
(check-sat)
