//! Rewrite rules: their parsing, and the verdicts of exhaustion on right and wrong ones.

use conform::rules::{RuleVerdict, check as decide, read};

/// Returns the verdict on the only rule of a text, with the counterexample or the reason.
fn verdict(text: &str) -> String {
    let file = read(text);
    if let Some(unread) = file.unread.first() {
        return format!("{}:{}: {}", unread.place.line, unread.place.column, unread.reason);
    }
    let report = decide(&file.rules[0]);
    match report.verdict {
        RuleVerdict::Holds => "holds".to_string(),
        RuleVerdict::Wrong(c) => format!("wrong: {} is not {}{}", c.left.1, c.right.1, c.values),
        RuleVerdict::ByChoice(c) => format!("by choice: {} is not {}{}", c.left.0, c.right.0, c.values),
        RuleVerdict::Unchecked(reason) => reason,
    }
}

fn check(text: &str, expect: &str) {
    assert_eq!(verdict(text), expect, "{text}");
}

#[test]
fn rules_over_sorts_of_fixed_size() {
    check("(define-rule r ((p Bool) (q Bool)) (not (and p q)) (or (not p) (not q)))", "holds");
    check(
        "(define-rule r ((p Bool) (q Bool)) (not (and p q)) (and (not p) (not q)))",
        "wrong: true is not false with p = false, q = true",
    );
    check("(define-rule r ((b (_ BitVec 1))) (bvneg b) b)", "holds");
    check("(define-rule r ((b (_ BitVec 2))) (bvneg b) b)", "wrong: #b11 is not #b01 with b = #b01");
    check("(define-rule r () (not true) false)", "holds");
}

/// Each variable has its own width, and a rule is decided at all combinations that fit.
#[test]
fn rules_over_every_width() {
    check("(define-rule r ((x ?BitVec) (y ?BitVec)) (bvsub x y) (bvnot (bvadd (bvnot x) y)))", "holds");
    check(
        "(define-rule r ((x ?BitVec) (y ?BitVec)) (bvor x y) (bvadd x y))",
        "wrong: #b1 is not #b0 with x = #b1, y = #b1",
    );
    // It holds for one bit but not for two.
    check("(define-rule r ((x ?BitVec)) (bvneg x) x)", "wrong: #b11 is not #b01 with x = #b01");
    check("(define-rule r ((x ?BitVec) (y ?BitVec)) (bvult (concat x y) (concat x y)) false)", "holds");
    check("(define-rule r ((c (_ BitVec 1)) (x ?BitVec) (y ?BitVec)) (bvite (bvnot c) x y) (bvite c y x))", "holds");
}

/// An index is a number before the terms have sorts: those fixed by premises are computed, the others tried.
#[test]
fn numbers_are_computed_from_premises() {
    check(
        "(define-cond-rule r ((x ?BitVec) (w Int) (l Int)) (and (= w (@bvsize x)) (= l (- w 1))) (extract l 0 x) x)",
        "holds",
    );
    check(
        "(define-cond-rule r ((x ?BitVec) (m Int)) (= m (- (@bvsize x) 1)) (bvslt x (@bv 0 (@bvsize x))) (= (extract m m x) (@bv 0 1)))",
        "wrong: false is not true where m = 0 with x = #b0",
    );
    check(
        "(define-cond-rule r ((x ?BitVec) (v Int) (n Int)) (def (k (int.log2 v))) (and (int.ispow2 v) (< 0 k n)) (bvurem x (@bv v n)) \
         (concat (@bv 0 (- n k)) (extract (- k 1) 0 x)))",
        "holds",
    );
    check("(define-rule r ((x ?BitVec) (n Int)) (zero_extend n x) (concat (@bv 0 n) x))", "holds");
    check("(define-rule r ((n Int) (t Int)) (ubv_to_int (int_to_bv n t)) (mod_total t (int.pow2 n)))", "holds");
    check(
        "(define-cond-rule r ((x ?BitVec)) (> (@bvsize x) 9) (bvneg x) x)",
        "no small size has a well-sorted left side and satisfiable premises",
    );
    check("(define-cond-rule r ((s String)) (> (str.len s) 9) s \"\")", "the premises hold at no small size");
    // A literal of a rewritten term is below 2^w.
    check(
        "(define-cond-rule r ((x ?BitVec) (n Int) (w Int)) (>= n (int.pow2 w)) (bvadd x (@bv n w)) x)",
        "no small size has a well-sorted left side and satisfiable premises",
    );
    check("(define-rule r ((x ?BitVec) (n Int) (w Int)) (bvmul (bvneg x) (@bv n w)) (bvmul x (@bv (- n) w)))", "holds");
}

/// A list represents any number of arguments: one represents itself, none the neutral element.
#[test]
fn lists_of_arguments() {
    check("(define-rule r ((xs Bool :list) (ys Bool :list)) (or xs false ys) (or xs ys))", "holds");
    check("(define-rule r ((xs Bool :list) (ys Bool :list)) (and xs true ys) (or xs ys))", "wrong: true is not false");
    check("(define-rule r ((x ?BitVec) (xs ?BitVec :list)) (bvxor x xs x) (bvxor xs))", "holds");
    check(
        "(define-rule r ((x ?BitVec) (xs ?BitVec :list)) (bvand x (bvmul xs)) (bvand x (bvand xs)))",
        "wrong: #b01 is not #b10 with x = #b10".replace("#b01", "#b00").as_str(),
    );
    check("(define-rule r ((xs String :list) (ys String :list)) (str.++ xs \"\" ys) (str.++ xs ys))", "holds");
    check(
        "(define-rule r ((xs String :list) (ys String :list)) (str.++ xs \"a\" ys) (str.++ ys \"a\" xs))",
        "wrong: \"a-1\" is not \"-1a\" with ys@1 = \"-1\"",
    );
    check(
        "(define-rule r ((xs ?BitVec :list) (x ?BitVec)) (@bvsize (concat xs x x)) (+ (@bvsize (concat xs x)) (@bvsize x)))",
        "holds",
    );
    check(
        "(define-rule r ((xs Int :list)) (distinct xs) true)",
        "wrong: false is not true with xs@1 = (- 7), xs@2 = (- 7)",
    );
    // A context is put around the result of a rule for repeated use.
    check(
        "(define-rule* r ((s String) (t String) (ss String :list)) (str.len (str.++ s t ss)) (str.len (str.++ t ss)) (+ (str.len s) _))",
        "holds",
    );
    check("(define-rule* r ((p Bool) (ps Bool :list)) (and p p ps) (and p ps))", "holds");
    check(
        "(define-cond-rule* r ((s String) (t String) (ss String :list)) (= s \"\") (str.len (str.++ s t ss)) (str.len (str.++ t ss)) _)",
        "holds",
    );
}

#[test]
fn open_sorts_and_infinite_ones() {
    check("(define-rule r ((x ?) (y ?)) (= x y) (= y x))", "holds");
    check("(define-rule r ((x ?) (y ?)) (< x y) (not (<= y x)))", "holds");
    check("(define-rule r ((x ?) (y ?)) (< x y) (<= (+ x 1) y))", "holds");
    check("(define-rule r ((x ?)) (abs x) x)", "wrong: 7 is not (- 7) with x = (- 7)");
    check("(define-rule r ((a ?Array) (i ?) (e ?)) (select (store a i e) i) e)", "holds");
    check(
        "(define-cond-rule r ((a ?Array) (i ?) (j ?) (e ?)) (= i j) (select (store a i e) j) (select a j))",
        "wrong: #b01 is not #b00 with a = ((as const (Array Bool (_ BitVec 2))) #b00), i = false, j = false, e = #b01",
    );
    check("(define-rule r ((s ?Seq) (t ?Seq)) (str.prefixof s t) (= s (str.substr t 0 (str.len s))))", "holds");
    check("(define-rule r ((x RegLan) (y RegLan)) (re.diff x y) (re.inter x (re.comp y)))", "holds");
    check("(define-rule r ((x RegLan)) (re.+ x) (re.* x))", "wrong:  is not  where x = re.none with the word = \"\"");
    check("(define-rule r ((x Real)) (* 1/2 (+ x x)) x)", "holds");
}

/// A value that the standard leaves open may be anything: a rule that fixes it is right only under that choice.
#[test]
fn division_by_zero() {
    check("(define-rule r ((x Int)) (div x 0) 0)", "by choice: (div x 0) is not 0 with x = (- 7)");
    check("(define-rule r ((x Int)) (div_total x 0) 0)", "holds");
    check("(define-cond-rule r ((x Int) (y Int)) (not (= y 0)) (mod x y) (mod_total x y))", "holds");
    check(
        "(define-rule r ((x Int) (y Int)) (div x y) (div_total x y))",
        "by choice: (div x y) is not (ite (= y 0) 0 (div x y)) with x = (- 7), y = 0",
    );
    // The division by zero does not matter.
    check(
        "(define-rule r ((x Int) (y Int)) (+ (div x y) x) (div x y))",
        "wrong: (- 6) is not 1 with x = (- 7), y = (- 7)",
    );
    check(
        "(define-rule r ((x Int) (y Int)) (/ x y) (/_total x y))",
        "by choice: (/ (to_real x) (to_real y)) is not (let (($e1 (to_real y))) (ite (= $e1 0.0) 0.0 (/ (to_real x) $e1))) with x = (- 7), y = 0",
    );
}

#[test]
fn a_right_side_of_another_sort_is_a_remark() {
    let check = |text: &str, expect: Option<&str>| {
        let report = decide(&read(text).rules[0]);
        assert_eq!(report.ill_sorted.as_deref(), expect, "{text}");
    };
    check(
        "(define-cond-rule r ((x ?BitVec) (y ?BitVec) (j Int)) (<= j (@bvsize y)) (extract j 0 (concat x y)) (extract j 0 y))",
        Some("((_ extract 1 0) (concat x y)) where j = 1"),
    );
    check("(define-rule r ((x ?BitVec)) (bvneg (bvneg x)) x)", None);
}

#[test]
fn mistakes_have_a_place() {
    check("(define-rule r ((x Int)) x)", "1:1: expected two sides, found 1 terms");
    check("(define-cond-rule r ((x Int)) x x)", "1:1: expected a premise and two sides, found 2 terms");
    check("(define-rule* r ((x Int)) x x x x)", "1:1: expected two sides, and perhaps a context, found 4 terms");
    check("; first\n(define-rule r ((x Int)\n   (s (Set Int))) x x)", "3:7: unknown sort `(Set Int)`");
    check("(define-rule r ((x Int) (x Int)) x x)", "1:26: `x` is not a new variable name");
    check("(define-rule r ((x Int :many)) x x)", "1:24: unknown attribute `:many`; expected `:list`");
    check("(define-rule r ((x Int)) (twice x) x)", "1:27: unknown operator `twice`");
    check("(define-rule r ((x Int)) ((f x) x) x)", "1:27: unknown operator `(f x)`");
    check("(define-rule r ((x Int)) y x)", "1:26: unknown symbol `y`");
    check("(define-rule r ((x Int)) () x)", "1:26: `()` is no term");
    check("(define-rule r ((x Int)) _ x)", "1:26: unknown symbol `_`");
    check("(define-rule r ((x Int)) (def (y)) x x)", "1:31: expected a definition `(NAME TERM)`");
    check("(define-rule (r) () true true)", "1:14: expected a name and a list of variables such as `((x Int))`");
    check(
        "(define-law r () true true)",
        "1:1: `define-law` defines no rule; expected `define-rule` or `define-cond-rule`, with or without `*`",
    );
    check("define-rule", "1:1: expected a rule such as `(define-rule NAME ((x Int)) LEFT RIGHT)`");
    check("()", "1:1: `` defines no rule; expected `define-rule` or `define-cond-rule`, with or without `*`");
    check("\n (define-rule r ((x Int)) x x", "2:2: a list, string or quoted symbol that is not closed");
    check(")", "1:1: a `)` that closes nothing; remove it");
    let deep = format!("(define-rule r ((p Bool)) {}p{} p)", "(not ".repeat(200), ")".repeat(200));
    assert!(verdict(&deep).ends_with("a term is nested deeper than 100"), "{}", verdict(&deep));
    let many: String = (0..65).map(|n| format!("(x{n} Int)")).collect();
    assert!(verdict(&format!("(define-rule r ({many}) x0 x0)")).ends_with("more than 64 variables"));
}

/// An error in one rule does not affect the others.
#[test]
fn the_rules_around_a_mistake_are_read() {
    let file = read(
        "(define-rule a ((x Int)) x x)\n(define-rule b ((x ?Set)) x x)\n; (define-rule c\n(define-rule d ((x Int)) x x)",
    );
    let names: Vec<&str> = file.rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["a", "d"]);
    assert_eq!(file.rules[1].place.line, 4);
    assert_eq!(file.unread.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>(), ["b"]);
}
