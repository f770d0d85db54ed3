; Datatypes: declarations, constructors, selectors, testers and `match`.

; case: datatypes
; expect: same
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))

; expect: prints (declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))
(declare-datatypes (T) ((List nil (cons (hd T) (tl List)))))

; expect: prints (declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))
(declare-datatypes (T) ((List (nil) (cons (hd T) (tl (List T))))))

; expect: prints (declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))
(declare-datatype List (par (T) ((nil) (cons (hd T) (tl (List T))))))

; expect: prints (declare-datatypes ((C 0)) (((r) (g) (b (n Int)))))
(declare-datatypes () ((C r g (b (n Int)))))

; expect: same
(declare-datatypes ((A 0) (B 0)) (((a (b B)) (e)) ((c (d A)))))

; given:
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))
(declare-const l (List Int))

; expect: same
(assert (= l (cons 1 (cons 2 (as nil (List Int))))))

; expect: prints (assert (and ((_ is cons) l) ((_ is nil) (tl l)) (= (hd l) 1)))
(assert (and ((_ is cons) l) (is-nil (tl l)) (= (hd l) 1)))

; expect: prints (assert (let (($e1 ((_ update hd) l 3))) (= l $e1 $e1)))
(assert (= l ((_ update hd) l 3) ((_ update-field hd) l 3)))

; expect: prints (assert ((_ is cons) l))
(assert ((_ is (cons (Int (List Int)) (List Int))) l))

; given:

; A tester is one also where its indexed name's plain form is declared.
; expect: prints (declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))
; expect: prints (declare-fun is (Int) Bool)
; expect: prints (declare-fun l () (List Int))
; expect: prints (assert ((_ is nil) l))
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))
(declare-fun is (Int) Bool)
(declare-const l (List Int))
(assert ((_ is nil) l))

; given:
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))
(declare-const l (List Int))

; expect: error 1:12: `nil` cannot take (): expected (and its sort given by `(as … SORT)`)
(assert (= nil nil))

; expect: error 1:13: `selector` cannot take (Int): expected List
(assert (= (hd 1) 1))

; expect: error 1:16: `snoc` is no constructor
(assert ((_ is snoc) 1))

; expect: error 1:18: this sort is given 0 arguments | expected 1
(declare-const x List)

; given:
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))
(declare-const l (List Int))
(declare-const y Int)

; case: matches
; expect: same
(assert (match l ((nil true) ((cons h t) (> h 0)))))

; expect: same
(assert (match l (((cons h _) (> h 0)) (_ false))))

; expect: same
(assert (match l ((nil true) (other (= other l)))))

; Case variables shadow globals, selectors and each other in nested matches.
; expect: same
(assert (match l ((nil true) ((cons y hd) (match hd ((nil (= y 1)) ((cons y hd) (= y 2))))))))

; expect: prints (assert (match l ((nil (> y 0)) ((cons h t) (let (($e1 (+ h y))) (= $e1 $e1 (* $e1 y)))))))
(assert (match l ((nil (> y 0)) ((cons h t) (= (+ h y) (+ h y) (* (+ h y) y))))))

; expect: same
(assert (match (tl l) ((nil (match l ((nil true) (_ false)))) ((cons a b) (= b l)))))

; expect: error 1:10: no case for the constructor `cons`
(assert (match l ((nil true))))

; expect: error 1:32: a pattern with 1 variables | expected 2
(assert (match l ((nil true) ((cons h) true))))

; expect: error 1:10: `match` on a term of sort Int | expected a datatype
(assert (match y ((nil true))))

; expect: error 1:10: the cases of a match must be of one sort, these are (Bool Int)
(assert (match l ((nil true) ((cons h t) h))))

; expect: error 1:32: not a constructor of List
(assert (match l ((nil true) ((snoc h t) true))))

; given:

; case: datatypes of different sorts differ
; Datatypes that are the same are one in a store. Those of sequences and of sets of themselves were taken for the same: the second
; was read as the first.
; expect: same
(push 1)
(declare-datatypes ((D 0)) (((n) (c (f (Seq D))))))
(pop 1)
(push 1)
(declare-datatypes ((D 0)) (((n) (c (f (Set D))))))
(declare-fun d () D)
(assert (set.member d (f d)))
(pop 1)

; given:
(declare-datatypes ((A 0)) (((a (s Int)))))
(declare-datatypes ((B 0)) (((b (s Bool)))))
(declare-fun x () A)
(declare-fun y () B)

; case: datatypes that share names
; expect: same
(assert (= (= (s x) 1) (s y)))

; expect: same
(assert (= y ((_ update s) y true)))

; given:

; expect: same
(declare-datatypes ((A 0)) (((a (s Int)))))
(declare-datatypes ((B 0)) (((b (s Bool)))))
(declare-fun x () A)
(declare-fun y () B)
(declare-fun s (Int) Int)
(assert (= (s x) (s 2)))

; given:
(declare-datatypes ((A 0)) (((a (s Int)))))
(declare-datatypes ((B 0)) (((b (s Bool)))))
(declare-fun x () A)
(declare-fun y () B)

; expect: error 1:14: `s` is already declared | choose another name, or (pop) or (reset) first
(declare-fun s (A) Int)

; given:

; expect: same
(declare-datatypes ((A 0) (B 0)) (((a (s Int))) ((b (s Bool)))))
(declare-fun x () A)
(assert (= (s x) 1))

; given:
(declare-datatypes ((A 0)) (((n) (c (s Int)))))
(declare-datatypes ((B 0)) (((n) (c (t Int)))))
(declare-fun x () A)
(declare-fun y () B)

; expect: same
(assert (and (= x (as n A)) (= y ((as c B) 1))))

; expect: prints (assert (and ((_ is (n () A)) x) ((_ is (c (Int) B)) y)))
(assert (and (is-n x) ((_ is c) y)))

; expect: same
(assert (match y ((n true) ((c z) (= z 1)))))

; expect: error 1:14: `n` has several meanings here | choose by the sort: (as n SORT)
(assert (= x n))

; expect: error 1:15: an ambiguous name on (Int) | choose by the result: (as NAME SORT)
(assert (= x (c 1)))

; given:

; The sorts of the fields distinguish constructors.
; expect: same
(declare-datatypes ((A 0)) (((c (s Int)))))
(declare-datatypes ((B 0)) (((c (t Bool)))))
(declare-fun x () A)
(assert (= x (c 1)))

; expect: error 1:38: `s` is declared twice in this datatype
(declare-datatype A ((a (s Int)) (b (s Int))))

; case: polymorphic recursion is no endless sort
; expect: prints (declare-datatypes ((N 1)) ((par (A) ((end) (more (x A) (rest (N (Array A A))))))))
; expect: prints (declare-fun n () (N Int))
; expect: prints (assert ((_ is end) (rest (rest n))))
(declare-datatypes ((N 1)) ((par (A) ((end) (more (x A) (rest (N (Array A A))))))))
(declare-const n (N Int))
(assert ((_ is end) (rest (rest n))))
