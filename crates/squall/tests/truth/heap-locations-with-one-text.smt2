; A location is `(c a)`, and another one has a name with this text: they were one place of the heap.
(set-logic ALL)
(declare-datatypes ((Inner 0) (L 0)) (((a)) ((|(c a)|) (c (inner Inner)) (d))))
(declare-heap (L Bool))
(assert (sep (pto |(c a)| true) (pto (c a) false)))
; expect: sat
(check-sat)
