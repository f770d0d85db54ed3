//! Left sides match in any order of commuting arguments, and goals keep their meaning.

use super::{after, written};
use crate::engine_support::{plan as ready, solve};
use crate::strategies::support::instance;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use smtlib::{Kind, Op, Store};
use std::time::Duration;

const DECLARED: &str = "(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))(declare-const c (_ BitVec 8))(declare-const d (_ BitVec 6))
    (declare-const e (_ BitVec 2))(declare-const h (_ BitVec 4))(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
    (declare-const s Bool)(declare-const i Int)(declare-const j Int)(declare-const f Float16)(declare-const m RoundingMode)";

const RULES: &str = "
(rule add-zero ((n Width) (x (_ BitVec n))) (bvadd x (_ bv0 n)) x)
(rule add-opposite ((n Width) (x (_ BitVec n))) (bvadd x (bvneg x)) (_ bv0 n))
(rule absorb ((n Width) (x (_ BitVec n)) (y (_ BitVec n))) (bvand x (bvor x y)) x)
(rule cases ((n Width) (x (_ BitVec n)) (y (_ BitVec n))) (bvor (bvand x y) (bvand x (bvnot y))) x)
(rule twice ((n Width) (x (_ BitVec n)) (y (_ BitVec n))) (bvxor x (bvxor y x)) y)
(rule factor ((n Width) (x (_ BitVec n)) (y (_ BitVec n)) (z (_ BitVec n))) (bvadd (bvmul x y) (bvmul x z)) (bvmul x (bvadd y z)))
(rule sub-zero ((n Width) (x (_ BitVec n))) (bvsub x (_ bv0 n)) x)
(rule below-zero ((n Width) (x (_ BitVec n))) (bvult x (_ bv0 n)) false)
(rule keep-or ((p Bool) (q Bool)) (or p (and p q)) p)
(rule both ((p Bool)) (and p (not p)) false)
(rule of-true ((p Bool)) (=> p true) true)
(rule same ((p Bool)) (= p true) p)
(rule sum ((i Int) (j Int)) (- (+ i j) j) i)
(rule square ((i Int) (j Int)) (+ (* i i) (* j j) (* 2 i j)) (* (+ i j) (+ i j)))
(rule thrice ((i Int) (j Int)) (+ (* 2 i) (* 3 j) i) (* 3 (+ i j)))
(rule no-number ((w Width) (s Width) (f (_ FloatingPoint w s))) (fp.eq f (_ NaN w s)) false)
(rule no-sum ((w Width) (s Width) (m RoundingMode) (f (_ FloatingPoint w s))) (fp.add m f (_ NaN w s)) (_ NaN w s))";

/// Returns the result of rules on a formula.
fn rewritten(rules: &str, formula: &str) -> Result<Vec<String>, String> {
    let (_folder, file) = written(rules);
    after(&mut Store::new(), &format!("{DECLARED}(assert {formula})"), &format!("(rules \"{file}\")"))
}

#[test]
fn arguments_that_commute_match_in_any_order() {
    let (_folder, file) = written(RULES);
    let check = |rows: &[(&str, &str)]| {
        for (before, expect) in rows {
            let script = format!("{DECLARED}(assert {before})");
            let found = after(&mut Store::new(), &script, &format!("(rules \"{file}\")"));
            // As printed, with names for shared parts.
            let expect = after(&mut Store::new(), &format!("{DECLARED}(assert {expect})"), "skip");
            assert_eq!(found, expect, "{before}");
        }
    };
    check(&[
        ("(= (bvadd #x00 a) b)", "(= a b)"),
        ("(= (bvadd (bvneg a) a) b)", "(= #x00 b)"),
        ("(= (bvand (bvor b a) a) b)", "(= a b)"),
        ("(= (bvand (bvor a b) a) b)", "(= a b)"),
        ("(= (bvor (bvand (bvnot b) a) (bvand b a)) c)", "(= a c)"),
        ("(= (bvxor (bvxor a b) a) c)", "(= b c)"),
        ("(= (bvxor (bvxor b a) a) c)", "(= b c)"),
        ("(= (bvadd (bvmul a b) (bvmul c a)) c)", "(= (bvmul a (bvadd b c)) c)"),
        ("(= (bvadd (bvmul a b) (bvmul c b)) c)", "(= (bvmul b (bvadd a c)) c)"),
        ("(= p (or (and q r) r))", "(= p r)"),
        ("(= r (= true p))", "(= r p)"),
        ("(> (- (+ j i) j) 3)", "(> i 3)"),
        ("(= (+ (* i 2 j) (* j j) (* i i)) 0)", "(= (* (+ j i) (+ j i)) 0)"),
        ("(= (+ (* j 3) i (* i 2)) 0)", "(= (* 3 (+ i j)) 0)"),
        ("(= p (fp.eq (_ NaN 5 11) f))", "(= p false)"),
        ("(fp.lt (fp.add m (_ NaN 5 11) f) f)", "(fp.lt (_ NaN 5 11) f)"),
        // Arguments that the pattern does not match remain next to the result.
        ("(= p (or r (and q s) s))", "(= p (or s r))"),
        ("(= p (and q (not r) s r))", "(= p (and false q s))"),
        // Neither in any order.
        ("(= (bvadd (bvneg a) b) c)", "(= (bvadd (bvneg a) b) c)"),
        ("(= (bvor (bvand (bvnot b) a) (bvand c a)) c)", "(= (bvor (bvand (bvnot b) a) (bvand c a)) c)"),
        ("(= (bvadd (bvmul a a) (bvmul b c)) c)", "(= (bvadd (bvmul a a) (bvmul b c)) c)"),
        // These do not commute.
        ("(= (bvsub #x00 a) b)", "(= (bvsub #x00 a) b)"),
        ("(bvult #x00 a)", "(bvult #x00 a)"),
        ("(=> true p)", "(=> true p)"),
        ("(= (- j (+ j i)) 3)", "(= (- j (+ j i)) 3)"),
    ]);
}

#[test]
fn conditions_and_widths_decide_which_order_counts() {
    let rules = "(rule to-zero ((n Width) (x (_ BitVec n)) (k (_ BitVec n))) (bvand x k) k :when (= k (_ bv0 n)))
        (rule high ((n Width) (m Width) (x (_ BitVec n)) (y (_ BitVec m)) (z (_ BitVec (+ n m)))) (bvor (concat x y) z)
            (concat ((_ extract (- (+ n m) 1) m) z) (bvor y ((_ extract (- m 1) 0) z))) :when (= x (_ bv0 n)))";
    let check = |before: &str, expect: &str| {
        let expect = after(&mut Store::new(), &format!("{DECLARED}(assert {expect})"), "skip");
        assert_eq!(rewritten(rules, before), expect, "{before}");
    };
    check("(= (bvand #x00 a) b)", "(= #x00 b)");
    check("(= (bvand #x01 a) b)", "(= (bvand #x01 a) b)");
    // The first has other widths than the second, whose condition holds.
    check(
        "(= (bvor (concat e d) (concat #x0 h)) a)",
        "(= (concat ((_ extract 7 4) (concat e d)) (bvor h ((_ extract 3 0) (concat e d)))) a)",
    );
    check("(= (bvor (concat e d) (concat #x1 h)) a)", "(= (bvor (concat e d) (concat #x1 h)) a)");
}

#[test]
fn rules_that_only_sort_arguments_match_as_they_are_written() {
    let left = "(rule left ((n Width) (x (_ BitVec n)) (y (_ BitVec n)) (z (_ BitVec n))) (bvadd x (bvadd y z)) (bvadd (bvadd x y) z))";
    let found = rewritten(left, "(= (bvadd a (bvadd b (bvadd c a))) b)");
    assert_eq!(found, Ok(vec!["(= (bvadd (bvadd (bvadd a b) c) a) b)".to_string()]));
    let last = "(rule last ((p Bool) (q Bool)) (or (not p) q) (or q (not p)))";
    assert_eq!(rewritten(last, "(= r (or (not p) q))"), Ok(vec!["(= r (or q (not p)))".to_string()]));
    let first = "(rule first ((p Bool) (q Bool)) (xor (and p q) (and q p q)) (xor (and p q q) (and p q)))";
    assert!(
        rewritten(first, "(= r (xor (and p q) (and q p q)))").is_ok_and(|left| left[0].contains("(xor (and p q q)"))
    );
    // Their mutual rewriting ends only at the limit.
    let there =
        "(rule there ((n Width) (x (_ BitVec n)) (y (_ BitVec n))) (bvmul x (bvadd y (_ bv1 n))) (bvadd (bvmul x y) x))
        (rule back ((n Width) (x (_ BitVec n)) (y (_ BitVec n))) (bvadd (bvmul x y) x) (bvmul x (bvadd y (_ bv1 n))))";
    assert!(rewritten(there, "(= (bvmul (bvadd #x01 b) a) c)").is_err_and(|why| why.contains("applications of rules")));
}

#[test]
fn orders_are_tried_within_bounds() {
    let rule = "(rule both ((p Bool)) (and p (not p)) false)";
    let conjunction = |count: usize| {
        let others: String = (0..count).map(|n| format!("(> i {n}) ")).collect();
        format!("(= r (and (not p) {others}p))")
    };
    assert!(rewritten(rule, &conjunction(14)).is_ok_and(|left| left[0].contains("(and false ")));
    assert!(rewritten(rule, &conjunction(15)).is_ok_and(|left| !left[0].contains("false")));
    // Twelve variables have half a billion orders, and the condition holds in none.
    let variables: Vec<String> = (0..12).map(|n| format!("x{n}")).collect();
    let declared: String = variables.iter().map(|x| format!("({x} Int) ")).collect();
    let many = format!("(rule many ({declared}) (+ {0}) (+ {0} 1) :when (< x0 x0))", variables.join(" "));
    let sum: String = (0..12).map(|n| format!("(* {n} i) ")).collect();
    assert!(rewritten(&many, &format!("(> (+ {sum}) 0)")).is_ok());
}

/// A random term over few leaves, so that its parts are often equal.
fn term(rng: &mut Rng, depth: u32) -> String {
    if depth == 0 || rng.random_range(0..6) == 0 {
        return ["a", "b", "a", "b", "#b000", "#b101"][rng.random_range(0..6)].to_string();
    }
    let operator =
        ["bvadd", "bvadd", "bvand", "bvor", "bvxor", "bvmul", "bvsub", "bvnot", "bvneg"][rng.random_range(0..9)];
    let count = if operator.len() == 5 && (operator == "bvnot" || operator == "bvneg") { 1 } else { 2 };
    let parts: Vec<String> = (0..count).map(|_| term(rng, depth - 1)).collect();
    format!("({operator} {})", parts.join(" "))
}

fn formula(rng: &mut Rng, depth: u32) -> String {
    if depth == 0 || rng.random_range(0..4) == 0 {
        let leaf = rng.random_range(0..4);
        return match leaf {
            0 | 1 => ["p", "q"][leaf].to_string(),
            2 => format!("(= {} {})", term(rng, 3), term(rng, 2)),
            _ => format!("(bvult {} {})", term(rng, 3), term(rng, 2)),
        };
    }
    let (operator, count) =
        [("and", 2), ("or", 2), ("and", 4), ("or", 3), ("not", 1), ("=>", 2), ("=", 2)][rng.random_range(0..7)];
    let parts: Vec<String> = (0..count).map(|_| formula(rng, depth - 1)).collect();
    format!("({operator} {})", parts.join(" "))
}

#[test]
fn random_goals_mean_the_same_in_any_order() {
    let exhaust = ready("exhaust");
    let (_folder, file) = written(RULES);
    let strategy = format!("(rules \"{file}\")");
    let mut rng = Rng::seed_from_u64(11);
    let mut changed = 0;
    let goals = testing::amount("SQUALL_RULE_GOALS", 60);
    for _ in 0..goals {
        let declared =
            "(declare-const a (_ BitVec 3))(declare-const b (_ BitVec 3))(declare-const p Bool)(declare-const q Bool)";
        let text = formula(&mut rng, 3);
        // A name for its truth, so that the goal is this one formula.
        let script = format!("{declared}(declare-const t Bool)(assert (= t {text}))");
        let left = after(&mut Store::new(), &script, &strategy).unwrap_or_else(|why| panic!("{script}: {why}"));
        let mut store = Store::new();
        let problem = instance(&mut store, &format!("{script}(assert (and true {}))(check-sat)", left.join(" ")));
        let (before, after) = (problem.assertions[0], problem.assertions[1]);
        let differ = store.app(Op::new(Kind::Distinct), &[before, after]).expect("both are formulas");
        changed += usize::from(!left.contains(&format!("(= t {text})")));
        let answer = solve(&mut store, &[differ], &exhaust, Duration::from_secs(60));
        assert_eq!(answer.word(), "unsat", "{script}\n{left:?}");
    }
    println!("{changed} of {goals} changed");
    assert!(changed * 3 > goals, "{changed} of {goals}");
}
