//! Arrays, datatypes, functions and quantifiers by tables of terms and values.

use crate::support::check;

#[test]
fn arrays() {
    for (term, value) in [
        ("(select (store ((as const (Array Int Int)) 0) 1 5) 1)", "5"),
        ("(select (store ((as const (Array Int Int)) 0) 1 5) 2)", "0"),
        (
            "(= (store (store ((as const (Array Int Int)) 0) 1 5) 2 6) (store (store ((as const (Array Int Int)) 0) 2 6) 1 5))",
            "true",
        ),
        ("(= (store ((as const (Array Int Int)) 0) 1 0) ((as const (Array Int Int)) 0))", "true"),
        ("(= ((as const (Array Int Int)) 1) ((as const (Array Int Int)) 0))", "false"),
        // Over a finite index sort two different defaults may be the same array.
        ("(= (store (store ((as const (Array Bool Int)) 0) true 1) false 1) ((as const (Array Bool Int)) 1))", "true"),
        ("(= (store ((as const (Array Bool Int)) 0) true 1) (store ((as const (Array Bool Int)) 1) false 0))", "true"),
        ("(= (store ((as const (Array Bool Int)) 0) true 1) (store ((as const (Array Bool Int)) 1) true 0))", "false"),
        (
            "(= (store ((as const (Array (_ BitVec 1) Int)) 0) #b0 7) (store ((as const (Array (_ BitVec 1) Int)) 7) #b1 0))",
            "true",
        ),
        ("(= (lambda ((x (_ BitVec 2))) (bvadd x #b01)) (lambda ((y (_ BitVec 2))) (bvsub y #b11)))", "true"),
        ("(= (lambda ((x (_ BitVec 2))) x) (lambda ((y (_ BitVec 2))) (bvneg y)))", "false"),
        ("(select (store ((as const (Array Int Int)) 0) 1 5) (div 1 0))", "unknown"),
        ("(select ((as const (Array Int Int)) 0) (div 1 0))", "0"),
        (
            "(= (store ((as const (Array (_ FloatingPoint 2 3) Int)) 0) (_ NaN 2 3) 1) (store ((as const (Array (_ FloatingPoint 2 3) Int)) 0) ((_ to_fp 2 3) #b11101) 1))",
            "true",
        ),
    ] {
        check("", term, value);
    }
}

const LISTS: &str = "
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-datatypes ((Pair 0)) (((pair (first Bool) (second Colour)))))
(define-fun l () (List Int) (cons 1 (cons 2 (as nil (List Int)))))
(define-fun-rec len ((x (List Int))) Int (ite ((_ is nil) x) 0 (+ 1 (len (tail x)))))
(define-fun-rec len2 ((x (List Int))) Int (match x ((nil 0) ((cons h t) (+ 1 (len2 t))))))
(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
(define-fun-rec bad ((n Int)) Int (ite (= n 0) 0 (+ 1 (bad n))))
(define-fun-rec wild ((n Int)) Int (ite (= n 0) 0 (+ 1 (wild (- n 1)))))
(define-fun-rec minus0 ((n Int)) Int (ite (<= n 0) 0 (+ 1 (minus0 (- n 0)))))
(define-fun-rec plus0 ((n Int)) Int (ite (<= n 0) 0 (+ 1 (plus0 (+ n 0)))))
(define-fun-rec zero_plus ((n Int)) Int (ite (<= n 0) 0 (+ 1 (zero_plus (+ 0 n)))))
(define-fun-rec minus1 ((n Int)) Int (ite (<= n 0) 0 (+ 1 (minus1 (+ n (- 1))))))
(define-fun-rec minus2 ((n Int)) Int (ite (<= n 0) 0 (+ 1 (minus2 (+ (- 2) n)))))
(define-fun-rec from1 ((n Int)) Int (ite (<= n 0) 0 (+ 1 (from1 (- 1 n)))))
(define-fun-rec unguarded ((x (List Int))) Int (+ 1 (unguarded (tail x))))
(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
  ((or (<= n 0) (odd (- n 1))) (and (> n 0) (even (- n 1)))))
(define-fun twice ((n Int)) Int (* 2 n))
";

#[test]
fn datatypes_and_functions() {
    for (term, value) in [
        ("(head (tail l))", "2"),
        ("(head (as nil (List Int)))", "unknown"),
        ("((_ is cons) l)", "true"),
        ("((_ is nil) l)", "false"),
        // An update of a field that the value does not have leaves it as it is.
        ("((_ update head) l 7)", "(cons 7 (cons 2 (as nil (List Int))))"),
        ("((_ update tail) l (as nil (List Int)))", "(cons 1 (as nil (List Int)))"),
        ("((_ update head) (as nil (List Int)) 7)", "(as nil (List Int))"),
        ("(= l (cons 1 (cons 2 (as nil (List Int)))))", "true"),
        ("(= l (cons 1 (as nil (List Int))))", "false"),
        ("(= red green)", "false"),
        ("(match l ((nil 0) ((cons h t) (+ h (match t ((nil 10) ((cons h2 t2) (* 100 h2))))))))", "201"),
        ("(match red ((green 1) (x 2)))", "2"),
        ("(twice 21)", "42"),
        ("(len l)", "2"),
        ("(len2 l)", "2"),
        ("(sum 100)", "5050"),
        ("(sum 1000)", "500500"),
        ("(sum (- 5))", "0"),
        ("(even 10)", "true"),
        ("(even 7)", "false"),
        // No proof of totality: there may be no such function at all.
        ("(bad 0)", "unknown"),
        ("(wild 3)", "unknown"),
        ("(unguarded l)", "unknown"),
        // Nothing is taken away, or nothing from the parameter; the step may be an addition of a negative numeral.
        ("(minus0 0)", "unknown"),
        ("(plus0 0)", "unknown"),
        ("(zero_plus 0)", "unknown"),
        ("(from1 0)", "unknown"),
        ("(minus1 3)", "3"),
        ("(minus2 3)", "2"),
        ("(sum 100000000)", "unknown"),
        ("(twice (div 1 0))", "unknown"),
    ] {
        check(LISTS, term, value);
    }
}

/// A quantifier over one number whose body only compares polynomials in it is decided at their roots and between them.
#[test]
fn quantifiers_over_cells() {
    let outer = |body: &str| format!("(exists ((a Int) (r Real)) (and (= a 3) (= r 0.5) {body}))");
    for (body, expect) in [
        ("(forall ((x Int)) (>= (* x x) 0))", "true"),
        ("(forall ((x Int)) (> (* x x) 0))", "false"),
        // No integer lies between the roots, or at them.
        ("(exists ((x Int)) (< 10 (* x x) 15))", "false"),
        ("(exists ((x Int)) (= (* x x) 123456))", "false"),
        ("(exists ((x Int)) (< 6 (* 2 x) 10 12))", "true"),
        ("(exists ((x Int)) (and (< x 0) (= (* x x x) (- 27))))", "true"),
        ("(forall ((x Real)) (or (> (* x x x) 3.0) (< x 1.5)))", "true"),
        ("(forall ((x Real)) (or (> (* x x x) 3.5) (< x 1.5)))", "false"),
        // Only at an irrational root, a double root, and between neighbours.
        ("(exists ((x Real)) (and (= (* x x) 2.0) (> x 1.0)))", "true"),
        ("(forall ((x Real)) (> (* (- x 0.1) (- x 0.1)) 0.0))", "false"),
        ("(exists ((x Real)) (and (> (* x x) 2.0) (< x 1.41422) (> x 0.0)))", "true"),
        ("(exists ((x Real)) (distinct x 1.0 2.0 (* x x) 4.0))", "true"),
        ("(forall ((x Real)) (= (* 0.0 x) (/ (- x x) 3.0)))", "true"),
        // Symbols and variables around, also as coefficients that make the degree smaller.
        (&outer("(forall ((x Int)) (distinct (* a x) 10))"), "true"),
        (
            &outer("(forall ((x Real)) (>= (* (- a 3) x x) (- (* 2.0 r) 1.0)))")
                .replace("(- a 3)", "(to_real (- a 3))"),
            "true",
        ),
        (&outer("(exists ((x Real)) (< (* r x x) x (+ (* 2.0 r) 0.5)))"), "true"),
        (&outer("(exists ((r Real)) (forall ((a Int)) (> (* r r) (- r 1.0))))"), "true"),
        // A truth value that does not depend on the variable.
        (&outer("(forall ((x Int)) (ite (> a 2) (>= (* x x) x) (= (div x a) 7)))"), "true"),
        (&outer("(exists ((x Int)) (xor (> a 2) (>= (* x x) x)))"), "false"),
        // What is no polynomial stays open, unless an instance decides.
        ("(forall ((x Int)) (>= (mod x 7) (- (abs x) (abs x))))", "unknown"),
        ("(forall ((x Real)) (exists ((y Real)) (= (+ (* y y y) y) x)))", "unknown"),
        ("(forall ((x Real)) (or (is_int x) (not (is_int x))))", "unknown"),
    ] {
        check("", body, expect);
    }
}

#[test]
fn quantifiers() {
    for (term, value) in [
        ("(forall ((p Bool) (q Bool)) (= (=> p q) (or (not p) q)))", "true"),
        ("(forall ((p Bool) (q Bool)) (=> p q))", "false"),
        ("(exists ((x (_ BitVec 8))) (= (bvmul x x) #x51))", "true"),
        ("(exists ((x (_ BitVec 8))) (= (bvmul x x) #x52))", "false"),
        ("(forall ((x (_ BitVec 8))) (exists ((y (_ BitVec 8))) (= (bvadd x y) #x00)))", "true"),
        ("(exists ((y (_ BitVec 4))) (forall ((x (_ BitVec 4))) (= (bvadd x y) #x0)))", "false"),
        ("(forall ((m RoundingMode)) (or (= m RNE) (= m RNA) (= m RTP) (= m RTN) (= m RTZ)))", "true"),
        ("(forall ((f (_ FloatingPoint 2 3))) (= (fp.isNaN f) (= f (_ NaN 2 3))))", "true"),
        ("(forall ((c Colour)) (or (= c red) (= c green)))", "false"),
        ("(exists ((p Pair)) (and (first p) (= (second p) blue)))", "true"),
        (
            "(forall ((a (Array Bool Bool))) (= (store (store a true (select a true)) false (select a false)) a))",
            "true",
        ),
        (
            "(exists ((a (Array Bool Colour)) (b (Array Bool Colour))) (and (distinct a b) (= (select a true) (select b true)) (= (select a false) (select b false))))",
            "false",
        ),
        // Infinite domains.
        ("(forall ((x Int)) (> x 0))", "false"),
        ("(exists ((x Int)) (> x 0))", "true"),
        ("(forall ((x Int) (y Int)) (>= (* x x y y) 0))", "unknown"),
        ("(forall ((x Int)) (or (> x 0) true))", "true"),
        ("(exists ((x Int)) (and (> x 0) false))", "false"),
        ("(forall ((x (_ BitVec 64))) (= x x))", "true"),
        // No value is below the least one; of sums nothing is known without trying all.
        ("(forall ((x (_ BitVec 64))) (bvuge x #x0000000000000000))", "true"),
        ("(forall ((x (_ BitVec 64))) (bvuge (bvadd x x) #x0000000000000000))", "unknown"),
        ("(let ((y 3)) (forall ((p Bool)) (= y 3)))", "true"),
        ("(forall ((x (_ BitVec 4))) (let ((z (bvadd x #x1))) (not (= z x))))", "true"),
        ("(= (div 1 0) (ite (forall ((p Bool)) (or p (not p))) (div 1 0) 7))", "unknown"),
    ] {
        check(LISTS, term, value);
    }
}
