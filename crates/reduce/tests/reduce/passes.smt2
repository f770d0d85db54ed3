; What single passes propose: scripts that are smaller, and nothing where there is nothing to do.

; case: definitions, binders and sorts
; pass: definitions
; expect: proposes (assert (= (+ 2 1) 3))(check-sat)
(define-fun f ((a Int)) Int (+ a 1))
(assert (= (f 2) 3))
(check-sat)

; pass: quantifiers
; expect: proposes (assert (forall ((x Int)) (< x 3)))(check-sat)
(assert (forall ((x Int) (y Int)) (< x 3)))
(check-sat)

; pass: quantifiers
; expect: proposes (assert (< 0 3))(check-sat)
(assert (forall ((x Int)) (< x 3)))
(check-sat)

; pass: regexes
; expect: proposes (assert (str.in_re "a" re.all))(check-sat)
(assert (str.in_re "a" (re.+ (str.to_re "a"))))
(check-sat)

; pass: widths
; witness: ((define-fun v () (_ BitVec 8) #x03))
; expect: proposes (declare-fun v () (_ BitVec 4))(assert (bvult v #x7))(check-sat)
(declare-fun v () (_ BitVec 8))
(assert (bvult v #x07))
(check-sat)

; pass: datatypes
; witness: ((define-fun t () T a))
; expect: proposes (declare-datatypes ((T 0)) (((a))))(declare-fun t () T)(assert (= t a))(check-sat)
(declare-datatypes ((T 0)) (((a) (b))))
(declare-fun t () T)
(assert (= t a))
(check-sat)

; pass: datatypes
; witness: ((define-fun t () T a))
; expect: proposes (declare-datatypes ((T 0) (U 0)) (((a)) ((c (g T)))))(declare-fun t () T)(assert (= t a))(check-sat)
(declare-datatypes ((T 0) (U 0)) (((a) (b (f U))) ((c (g T)))))
(declare-fun t () T)
(assert (= t a))
(check-sat)

; pass: datatypes
; witness: ((define-fun t () T a))
; expect: proposes (declare-datatypes ((T 0)) (((a))))(declare-fun t () T)(assert (= t a))(check-sat)
(declare-datatypes ((T 0) (U 0)) (((a)) ((c (g T)))))
(declare-fun t () T)
(assert (= t a))
(check-sat)

; Of a datatype that is only a sort, the constructor with the fewest fields stays.
; pass: datatypes
; expect: proposes (declare-datatypes ((T 0)) (((a))))(declare-fun t () T)(assert (= t t))(check-sat)
(declare-datatypes ((T 0)) (((b (f Int)) (a) (c))))
(declare-fun t () T)
(assert (= t t))
(check-sat)

; Later datatypes and parameters follow.
; pass: datatypes
; witness: ((define-fun l () B (box (cons 3 (as nil (L Int))))))
; expect: proposes (declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))(declare-datatypes ((B 0)) (((box (open (L Int))))))(declare-fun l () B)(assert (= (hd (open l)) 3))(check-sat)
(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X))) (odd)))))
(declare-datatypes ((B 0)) (((box (open (L Int))))))
(declare-fun l () B)
(assert (= (hd (open l)) 3))
(check-sat)

; Without `nil` no list is finite.
; pass: datatypes
; expect: proposes nothing
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun l () L)
(assert (= (hd l) 3))
(check-sat)

; pass: names
; witness: ((define-fun long () Bool true))
; expect: proposes (declare-fun a () Bool)(assert a)(check-sat)
(declare-fun long () Bool)
(assert long)
(check-sat)

; pass: names
; expect: proposes (declare-sort A 0)(declare-fun n () A)(assert (= n n))(check-sat)
(declare-sort Node 0)
(declare-fun n () Node)
(assert (= n n))
(check-sat)

; pass: names
; expect: proposes nothing
(declare-fun a () Bool)
(assert a)
(check-sat)

; case: recursive definitions
; pass: recursive_functions
; expect: proposes (define-funs-rec ((ev ((x Int)) Bool)(od ((x Int)) Bool)) ((ite (= x 0) true (od (- x 1))) (ite (= x 0) false (ev (- x 1)))))(assert (ev 4))(check-sat)
; expect: proposes (define-fun one ((x Int)) Int 1)(define-funs-rec ((ev ((x Int)) Bool)(od ((x Int)) Bool)) ((ite (= x 0) true (od (- x 1))) (ite (= x 0) false (ev (- x 1)))))(assert (ev 4))(check-sat)
(define-funs-rec ((ev ((x Int)) Bool) (od ((x Int)) Bool) (one ((x Int)) Int)) ((ite (= x 0) true (od (- x 1))) (ite (= x 0) false (ev (- x 1))) 1))
(assert (ev 4))
(check-sat)

; pass: recursive_functions
; expect: proposes nothing
(define-funs-rec ((ev ((x Int)) Bool)(od ((x Int)) Bool)) ((ite (= x 0) true (od (- x 1))) (ite (= x 0) false (ev (- x 1)))))
(assert (ev 4))
(check-sat)

; pass: declarations
; expect: proposes (assert true)(check-sat)
(define-funs-rec ((ev ((x Int)) Bool)(od ((x Int)) Bool)) ((ite (= x 0) true (od (- x 1))) (ite (= x 0) false (ev (- x 1)))))
(assert true)
(check-sat)

; pass: declarations
; expect: proposes nothing
(define-funs-rec ((ev ((x Int)) Bool)(od ((x Int)) Bool)) ((ite (= x 0) true (od (- x 1))) (ite (= x 0) false (ev (- x 1)))))
(assert (ev 4))
(check-sat)

; Bodies are terms like others, and the commands that mention the functions follow.
; pass: defaults
; expect: proposes (define-fun-rec f ((n Int)) Int 0)(assert (= (f 3) 1))(check-sat)
(define-fun-rec f ((n Int)) Int (ite (= n 0) 1 (f (- n 1))))
(assert (= (f 3) 1))
(check-sat)

; pass: children
; expect: proposes (define-fun-rec f ((n Int)) Int (f (- n 1)))(assert (= (f 3) 1))(check-sat)
(define-fun-rec f ((n Int)) Int (ite (= n 0) 1 (f (- n 1))))
(assert (= (f 3) 1))
(check-sat)

; pass: truth_values
; expect: proposes (define-fun-rec f ((n Int)) Int (ite false 1 (f (- n 1))))(assert (= (f 3) 1))(check-sat)
(define-fun-rec f ((n Int)) Int (ite (= n 0) 1 (f (- n 1))))
(assert (= (f 3) 1))
(check-sat)

; pass: recursive_functions
; expect: proposes (define-fun f ((n Int)) Int 0)(assert (= (f 3) 1))(check-sat)
(define-fun-rec f ((n Int)) Int 0)
(assert (= (f 3) 1))
(check-sat)

; Sorts in definitions change with the others.
; pass: widths
; expect: proposes (define-fun-rec f ((n (_ BitVec 4))) (_ BitVec 4) (f n))(assert (= (f #x3) #x3))(check-sat)
(define-fun-rec f ((n (_ BitVec 8))) (_ BitVec 8) (f n))
(assert (= (f #x03) #x03))
(check-sat)

; case: commands
; pass: checks
; expect: proposes (check-sat)
(check-sat)
(assert true)
(check-sat)

; pass: checks
; expect: proposes (check-sat)
(check-sat-using smt)

; pass: checks
; expect: proposes nothing
(assert true)
(check-sat)

; pass: levels
; expect: proposes (assert true)(check-sat)
(push 2)
(assert true)
(check-sat)

; pass: levels
; expect: proposes (check-sat)(assert true)
(check-sat)
(push 1)
(assert true)
(pop 1)

; pass: levels
; expect: proposes (push 1)(check-sat)(pop 1)(check-sat)
(push 1)
(push 1)
(check-sat)
(pop 2)
(check-sat)

; pass: levels
; expect: proposes nothing
(assert true)
(check-sat)

; pass: assertions
; expect: proposes (assert true)(check-sat)
(assert true)
(assert false)
(check-sat)

; pass: assertions
; expect: proposes (assert true)(check-sat)
(assert (! true :named n))
(check-sat)

; pass: queries
; expect: proposes (check-sat)(exit)
(check-sat)
(get-model)
(exit)

; pass: options
; expect: proposes (check-sat)
(set-option :print-success false)
(check-sat)

; pass: logic
; expect: proposes (check-sat)
; expect: proposes (set-logic QF_LIA)(check-sat)
(set-logic QF_AUFLIA)
(check-sat)

; A logic was once narrowed to any shorter name, QF_NIA among them.
; pass: logic
; expect: proposes (set-logic QF_UFLIA)(declare-fun a (Int) Int)(assert (= (a 1) 2))(check-sat)
; expect: never (set-logic QF_NIA)
; expect: never (set-logic QF_LIA)
; expect: never (set-logic QF_UF)
(set-logic QF_UFNIA)
(declare-fun a (Int) Int)
(assert (= (a 1) 2))
(check-sat)

; pass: logic
; expect: proposes (set-logic QF_UFLIA)(declare-fun a (Int) Int)(assert (= (a 1) 2))(check-sat)
(set-logic ALL)
(declare-fun a (Int) Int)
(assert (= (a 1) 2))
(check-sat)

; pass: declarations
; expect: proposes (declare-sort S 0)(check-sat)
(declare-sort S 0)
(declare-fun x () S)
(check-sat)

; pass: declarations
; expect: proposes nothing
(declare-fun x () Bool)
(assert x)
(check-sat)

; pass: tactics
; expect: proposes (check-sat-using smt)
(check-sat-using (then simplify smt))

; pass: tactics
; expect: proposes (check-sat-using (then (using-params a :k 1) c))
(check-sat-using (then (using-params a :k 1) b c))

; pass: tactics
; expect: proposes nothing
(check-sat-using smt)

; case: terms
; A truth value is the value of the term under the witness.
; pass: truth_values
; witness: ((define-fun x () Int 5)(define-fun y () Int 5))
; expect: proposes (declare-fun x () Int)(declare-fun y () Int)(assert (or false (= x y)))(check-sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (or (< x 3) (= x y)))
(check-sat)

; pass: truth_values
; expect: proposes (declare-fun x () Int)(declare-fun y () Int)(assert (or true (= x y)))(check-sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (or (< x 3) (= x y)))
(check-sat)

; pass: truth_values
; expect: proposes nothing
(assert true)
(check-sat)

; pass: children
; expect: proposes (declare-fun x () Int)(declare-fun y () Int)(assert (< x y))(check-sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (not (not (< x y))))
(check-sat)

; pass: children
; expect: proposes nothing
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x y))
(check-sat)

; pass: arguments
; expect: proposes (declare-fun y () Int)(assert (< 0 y))(check-sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< 0 x y))
(check-sat)

; pass: arguments
; expect: proposes nothing
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x y))
(check-sat)

; pass: defaults
; expect: proposes (declare-fun x () Int)(assert (< x 0))(check-sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x (+ y 1)))
(check-sat)

; pass: witness_values
; witness: ((define-fun x () Int 5)(define-fun y () Int 5))
; expect: proposes (declare-fun x () Int)(assert (< x 6))(check-sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x (+ y 1)))
(check-sat)

; pass: witness_values
; expect: proposes nothing
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x y))
(check-sat)

; pass: merge_variables
; witness: ((define-fun x () Int 5)(define-fun y () Int 5))
; expect: proposes (declare-fun x () Int)(assert (<= x x))(check-sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (<= x y))
(check-sat)

; pass: merge_variables
; witness: ((define-fun x () Int 1)(define-fun y () Int 2))
; expect: proposes nothing
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x y))
(check-sat)

; pass: fresh_variables
; witness: ((define-fun x () Int 5)(define-fun y () Int 5))
; expect: proposes (declare-fun b () Int)(declare-fun x () Int)(assert (< x b))(check-sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x (* y y)))
(check-sat)

; pass: occurrences
; witness: ((define-fun p () Bool true))
; expect: proposes (declare-fun p () Bool)(assert (and p (or true false)))(check-sat)
(declare-fun p () Bool)
(assert (and p (or p false)))
(check-sat)

; pass: simplify
; expect: proposes (declare-fun p () Bool)(assert (not (not p)))(check-sat)
(declare-fun p () Bool)
(assert (and true (not (not p))))
(check-sat)

; pass: simplify
; expect: proposes nothing
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x y))
(check-sat)

; pass: constants
; expect: proposes (declare-fun x () Int)(declare-fun y () Int)(assert (< x 1))(check-sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x 99))
(check-sat)

; pass: constants
; expect: proposes (assert (= "cd" ""))(check-sat)
(assert (= "abcd" ""))
(check-sat)

; pass: constants
; expect: proposes nothing
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x 0))
(check-sat)

; case: the witness follows
; Passes that make new symbols extend the witness, which satisfies what they propose.
; pass: widths
; witness: ((define-fun v () (_ BitVec 8) #x03))
; expect: witness
(declare-fun v () (_ BitVec 8))
(assert (bvult v #x07))
(check-sat)

; pass: names
; witness: ((define-fun long () Int 7))
; expect: witness
(declare-fun long () Int)
(assert (= long 7))
(check-sat)

; pass: fresh_variables
; witness: ((define-fun x () Int 7))
; expect: witness
(declare-fun x () Int)
(assert (= 49 (* x x)))
(check-sat)

; pass: datatypes
; witness: ((define-fun t () T b))
; expect: witness
(declare-datatypes ((T 0)) (((a) (b))))
(declare-fun t () T)
(assert (= t b))
(check-sat)
