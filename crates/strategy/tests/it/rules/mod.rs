//! `(rules "FILE")`: which rules are accepted, the messages about others, and that goals keep their meaning.

mod commuting;

use crate::engine_support::{plan as ready, solve};
use crate::generated::bits;
use crate::strategies::support::{instance, read, run};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use rewrite::{Goal, PassSettings, Wants};
use smtlib::strategy::Strategy;
use smtlib::{Kind, Op, Store};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use strategy::rules::{PROVER, RuleSet};
use strategy::trace::Trace;
use strategy::{Budget, Shared, SolveAnswer, Solvers, TacticOutcome, TacticRun, plan};

/// A file of rules that all hold.
const RIGHT: &str = "tests/it/rules/right.rules";

/// Returns the message about rules when they are read.
fn refused(text: &str) -> String {
    match RuleSet::of_text("mine.rules", text, &ready(PROVER)) {
        Ok(_) => panic!("the rules are taken: {text}"),
        Err(why) => why,
    }
}

/// The goals of a script's assertions after a strategy, or why it failed.
fn after(store: &mut Store, script: &str, strategy: &str) -> Result<Vec<String>, String> {
    let instance = instance(store, &format!("{script}(check-sat)"));
    let solvers = Arc::new(Solvers::default());
    let plan = plan(&read(strategy), &solvers).map_err(|error| error.to_string())?;
    let goal = Goal::of(store, &instance.assertions, Wants::ALL, &PassSettings::default()).expect("it is a goal");
    let shared = Arc::new(Shared::new(solvers, instance.declarations.clone(), None));
    let mut run = TacticRun::new(Budget::of(Duration::from_secs(60)), shared, Trace::default());
    match plan.run(store, goal, &mut run) {
        TacticOutcome::Open(open) => Ok(open.branches[0].goal.terms().map(|t| store.term_text(t)).collect()),
        TacticOutcome::Sat(_) => Ok(Vec::new()),
        TacticOutcome::Unsat(_) => Ok(vec!["false".to_string()]),
        TacticOutcome::Fail(failure) => Err(failure.to_string()),
    }
}

/// A file of rules in a folder that lives as long as the first value.
fn written(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("mine.rules");
    std::fs::write(&file, text).expect("a temporary file");
    let name = file.display().to_string();
    (folder, name)
}

#[test]
fn right_rules_are_applied_at_every_width() {
    let check = |script: &str, expect: &[&str]| {
        let found = after(&mut Store::new(), script, &format!("(rules \"{RIGHT}\")"));
        assert_eq!(found.as_deref(), Ok(&expect.map_to_strings()[..]), "{script}");
    };
    let declared = "(declare-const a (_ BitVec 32))(declare-const b (_ BitVec 32))(declare-const p Bool)(declare-const i Int)\
        (declare-const f Float32)";
    check(&format!("{declared}(assert (= (bvadd a (_ bv0 32)) b))"), &["(= a b)"]);
    // Rules on what rules have made, and below other operators.
    check(&format!("{declared}(assert (bvult (bvadd (bvand a (bvor a b)) (bvsub b b)) b))"), &["(bvult a b)"]);
    check(&format!("{declared}(assert (not (not (not (not (or p (and p (= a b))))))))"), &["p"]);
    check(&format!("{declared}(assert (= (bvadd (bvand a (bvor a b)) a) b))"), &["(= (bvshl a #x00000001) b)"]);
    check(&format!("{declared}(assert (> (- (+ i 3) 3) 0))"), &["(> i 0)"]);
    check(&format!("{declared}(assert (fp.lt (fp.abs (fp.abs f)) f))"), &["(fp.lt (fp.abs f) f)"]);
    check(&format!("{declared}(assert (= ((_ extract 31 0) (concat #x3 a)) b))"), &["(= a b)"]);
    // No part of it matches.
    check(
        &format!("{declared}(assert (= ((_ extract 30 0) (concat #x3 a)) ((_ extract 30 0) b)))"),
        &["(= ((_ extract 30 0) (concat #x3 a)) ((_ extract 30 0) b))"],
    );
    check("(declare-const a (_ BitVec 1))(assert (= (bvadd a #b0) #b1))", &["(= a #b1)"]);
}

/// Texts for comparison.
trait MapToStrings {
    fn map_to_strings(&self) -> Vec<String>;
}

impl MapToStrings for &[&str] {
    fn map_to_strings(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }
}

#[test]
fn conditions_decide_where_a_rule_applies() {
    let (_folder, file) = written(
        "(rule to-zero ((n Width) (x (_ BitVec n)) (k (_ BitVec n))) (bvand x k) k :when (= k (_ bv0 n)))\n\
         (rule positive ((i Int)) (abs i) i :when (>= i 0))",
    );
    let check = |script: &str, expect: &str| {
        let found = after(&mut Store::new(), script, &format!("(rules \"{file}\")"));
        assert_eq!(found, Ok(vec![expect.to_string()]), "{script}");
    };
    let declared = "(declare-const a (_ BitVec 8))(declare-const i Int)";
    check(&format!("{declared}(assert (= (bvand a #x00) a))"), "(= #x00 a)");
    check(&format!("{declared}(assert (= (bvand a #x01) a))"), "(= (bvand a #x01) a)");
    check(&format!("{declared}(assert (= (bvand a a) #x03))"), "(= (bvand a a) #x03)");
    check(&format!("{declared}(assert (= (abs 3) i))"), "(= 3 i)");
    check(&format!("{declared}(assert (= (abs (- 3)) i))"), "(= (abs (- 3)) i)");
    check(&format!("{declared}(assert (= (abs i) 1))"), "(= (abs i) 1)");
}

#[test]
fn wrong_rules_are_refused_with_a_counterexample() {
    let check = |rule: &str, words: &[&str]| {
        let why = refused(rule);
        words.iter().for_each(|word| assert!(why.contains(word), "{word} is missing in {why}"));
    };
    check(
        "; a comment\n(rule bad ((n Width) (x (_ BitVec n))) (bvadd x (_ bv1 n)) x)",
        &[
            "mine.rules:2:7: error: the rule `bad` is wrong at n = 1: with x = #b",
            "the left side is #b",
            "the right side #b",
        ],
    );
    // Right at one bit, wrong at two.
    check("(rule bad ((n Width) (x (_ BitVec n))) (bvmul x x) x)", &["is wrong at n = 2: with x = #b"]);
    check("(rule bad ((p Bool) (q Bool)) (=> p q) (=> q p))", &["is wrong: with p = ", "q = "]);
    check("(rule bad ((i Int) (j Int)) (* i j) (+ i j))", &["is wrong: with i = "]);
    check("(rule bad ((i Int)) (div (* 2 i) 2) (+ i 0 1))", &["is wrong: with i = "]);
    check(
        "(rule bad ((e Width) (s Width) (f (_ FloatingPoint e s))) (fp.eq f f) true)",
        &["is wrong at e = 2, s = 2: with f = (_ NaN 2 2)", "the left side is false, the right side true"],
    );
    check("(rule bad ((n Width) (x (_ BitVec n))) (bvudiv x x) (_ bv1 n))", &["with x = #b0"]);
    // Where the standard leaves a value open, rules must not fix it.
    check("(rule bad ((i Int)) (div i 0) 0)", &["the rule `bad` is wrong: with i = "]);
    check("(rule bad ((r Real)) (/ r 0.0) r)", &["is wrong: with r = "]);
    check(
        "(rule bad ((e Width) (s Width)) (fp.min (_ +zero e s) (_ -zero e s)) (_ +zero e s))",
        &["has the width `e`, which is that of no variable"],
    );
    check(
        "(rule bad ((e Width) (s Width) (f (_ FloatingPoint e s))) (fp.min (_ +zero e s) f) f :when (= f (_ -zero e s)))",
        &["the rule `bad` is "],
    );
    // Conditions count.
    check("(rule bad ((i Int) (j Int)) (div i j) 1 :when (= i j))", &["is wrong: with i = 0, j = 0"]);
    // A wrong rule stays wrong, even with `:trusted`.
    check("(rule bad ((p Bool)) (not p) p :trusted)", &["is wrong: with p = "]);
}

#[test]
fn mistakes_in_rules_are_told_with_their_place() {
    let check = |rules: &str, words: &[&str]| {
        let why = refused(rules);
        words.iter().for_each(|word| assert!(why.contains(word), "{word} is missing in {why}"));
    };
    check("", &["mine.rules:1:1: error: the file has no rule", "(rule NAME"]);
    check("(rule a ((p Bool)) (not (not p)) p)\n(ruel b () true false)", &["mine.rules:2:1: error: this is no rule"]);
    check("rule", &["this is no rule"]);
    check("(rule a ((p Bool)) (not (not p)) p", &["1:1: error: the parentheses or quotes do not match"]);
    check("(rule a ((p Bool)) (not (not p)))", &["1:1", "too few parts"]);
    check("(rule a ((p Bool)) (not (not p)) p :whne true)", &["1:36: error: `:whne` does not belong here"]);
    check("(rule a ((p Bool)) (not (not p)) p :when)", &["`:when` does not belong here"]);
    check("(rule a ((p Bool) (p Bool)) (not (not p)) p)", &["1:20: error: `p` is declared twice"]);
    check("(rule a ((p Bool) q) (not (not p)) p)", &["a variable is written (x SORT)"]);
    check("(rule a ((p Bool)) (not (not p)) p)(rule a ((p Bool)) (and p p) p)", &["there is a rule `a` already"]);
    check("(rule a ((p Bool)) (not (not p)) q)", &["1:7", "has no meaning: on the right side:", "q"]);
    check("(rule a ((p Bool) (q Bool)) (not (not p)) (or p q))", &["`q` does not occur on the left side"]);
    check("(rule a ((p Boole)) (not (not p)) p)", &["in the variable `p`:", "Boole"]);
    check("(rule a ((p Bool)) p (not (not p)))", &["a variable alone, which matches every term"]);
    check("(rule a ((p Bool)) (not p) (not p))", &["both sides are the same"]);
    check("(rule a ((i Int)) (+ i 0) (= i 0))", &["the left side has the sort Int, the right side the sort Bool"]);
    check("(rule a ((i Int)) (+ i 0) i :when i)", &["the condition is no formula"]);
    check("(rule a ((p Bool)) (or p (exists ((q Bool)) q)) true)", &["no quantifiers"]);
    check(
        "(rule a ((n Width) (m Width) (x (_ BitVec n))) (bvnot (bvnot x)) x)",
        &["has the width `m`, which is that of no variable"],
    );
    check("(rule a ((n Width) (x (_ BitVec (+ n 1)))) (bvnot (bvnot x)) x)", &["has the width `n`"]);
    check("(rule a ((n Width) (x (_ BitVec n))) ((_ extract (- 0 1) 0) x) x)", &["an index is no number"]);
    check("(rule a ((n Width) (m Width) (k Width) (l Width) (x (_ BitVec n))) x x)", &["3 widths open"]);
    check(&format!("(rule a ((p Bool)) {}p{} p)", "(not ".repeat(300), ")".repeat(300)), &["nest 200 deep"]);
    check(&format!("(rule a ((p Bool)) {}", "(".repeat(1_000_000)), &["do not match"]);
    let many: String = (0..1001).map(|n| format!("(rule r{n} ((p Bool)) (not (not p)) p)")).collect();
    let why = refused(&many);
    assert!(why.contains("a file may have 1000 rules") || why.contains("the check of the file"), "{why}");
    let folder = plan(&Strategy::Rules("tests".into()), &Solvers::default()).err().expect("it is a folder");
    assert_eq!(folder.to_string(), "cannot read tests: it is not a regular file");
    assert!(
        plan(&Strategy::Rules("no/such.rules".into()), &Solvers::default())
            .err()
            .is_some_and(|error| error.to_string().starts_with("cannot read no/such.rules: "))
    );
}

#[test]
fn rules_that_go_on_for_ever_hit_the_bound() {
    let (_folder, file) = written(
        "(rule swap ((n Width) (x (_ BitVec n)) (y (_ BitVec n))) (bvadd x y) (bvadd y x))\n\
         (rule grow ((i Int)) (* i 1) (+ (* i 1) 0))",
    );
    let script = "(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))(assert (= (bvadd a b) #x03))";
    let failed = after(&mut Store::new(), script, &format!("(rules \"{file}\")"));
    assert_eq!(
        failed,
        Err("more than 100000 applications of rules; raise the limit or use another tactic".to_string())
    );
    let failed = after(&mut Store::new(), script, &format!("(using-params (rules \"{file}\") :max-steps 10)"));
    assert!(failed.as_ref().is_err_and(|why| why.contains("more than 10 applications")), "{failed:?}");
    let script = "(declare-const i Int)(assert (= (* i 1) 3))";
    let failed = after(&mut Store::new(), script, &format!("(rules \"{file}\")"));
    assert!(failed.as_ref().is_err_and(|why| why.contains("more than 64 rounds of rules")), "{failed:?}");
    let failed = after(&mut Store::new(), script, &format!("(using-params (rules \"{file}\") :max-steps 1000)"));
    assert!(failed.as_ref().is_err_and(|why| why.contains("more than 1000 applications")), "{failed:?}");
    // Another tactic is tried next.
    let found = after(&mut Store::new(), script, &format!("(or-else (rules \"{file}\") skip)"));
    assert_eq!(found, Ok(vec!["(= (* i 1) 3)".to_string()]));
}

#[test]
fn rules_right_at_small_widths_only_are_caught_where_they_are_wrong() {
    // Four bits are shifted out by four.
    let four = |x: &str, n: &str| (0..4).fold(x.to_string(), |all, _| format!("(bvshl {all} (_ bv1 {n}))"));
    let rule = format!("(rule bad ((n Width) (x (_ BitVec n))) {} (_ bv0 n)", four("x", "n"));
    for ending in [")", " :trusted)"] {
        let (_folder, file) = written(&format!("{rule}{ending}"));
        let script = |width: &str| format!("(declare-const a (_ BitVec {width}))(assert (= {} a))", four("a", width));
        assert_eq!(
            after(&mut Store::new(), &script("4"), &format!("(rules \"{file}\")")),
            Ok(vec!["(= #x0 a)".into()])
        );
        let why = after(&mut Store::new(), &script("5"), &format!("(rules \"{file}\")"));
        let told = format!("the rule `bad` at n = 5 of {file} is wrong: with x = #b");
        assert!(why.as_ref().is_err_and(|why| why.starts_with(&told)), "{why:?}");
        let why = after(&mut Store::new(), &script("64"), &format!("(rules \"{file}\")"));
        assert!(why.is_err_and(|why| why.contains("at n = 64")));
    }
}

#[test]
fn what_is_not_proven_is_trusted_only_if_it_says_so() {
    // No engine of ours proves it: it is Fermat's theorem for the exponent 3.
    let rule = "(rule fermat ((i Int) (j Int) (k Int)) (= (+ (* i i i) (* j j j)) (* k k k)) false :when (and (> i 0) (> j 0) (> k 0))";
    let why = refused(&format!("{rule})"));
    assert!(why.contains("the rule `fermat` is not proven: ") && why.contains("write :trusted after it"), "{why}");
    // "`i` has no bounds; add-bounds adds them" is advice for strategies, which a file of rules cannot follow.
    assert!(!why.contains("add-bounds") && !why.contains("(solver SPEC)"), "{why}");
    let (_folder, file) = written(&format!("{rule} :trusted)"));
    let script = "(assert (= (+ (* 3 3 3) (* 4 4 4)) (* 5 5 5)))(check-sat)";
    let mut store = Store::new();
    let problem = instance(&mut store, script);
    let report = run(&mut store, &problem, &Strategy::Rules(file.as_str().into()), 60.0, false);
    let SolveAnswer::Unsat { proof, .. } = &report.answer else { panic!("{:?}", report.answer) };
    assert_eq!(proof.trusted().len(), 1);
    assert!(proof.trusted()[0].starts_with("rule fermat of "), "{:?}", proof.trusted());
    // If it does not apply nothing is trusted.
    let mut store = Store::new();
    let problem = instance(&mut store, "(declare-const p Bool)(assert (and p (not p)))(check-sat)");
    let strategy = read(&format!("(then (rules \"{file}\") simplify)"));
    let report = run(&mut store, &problem, &strategy, 60.0, false);
    let SolveAnswer::Unsat { proof, .. } = &report.answer else { panic!("{:?}", report.answer) };
    assert!(proof.trusted().is_empty(), "{:?}", proof.trusted());
}

#[test]
fn random_goals_mean_the_same_after_right_rules() {
    let exhaust = ready("(or-else (using-params exhaust :max-assignments 262144 :max-evaluations 262144) sat)");
    let mut rng = Rng::seed_from_u64(9);
    let mut changed = 0;
    for _ in 0..testing::amount("SQUALL_RULE_GOALS", 40) {
        let script = bits(&mut rng).replace("bvor y", "bvand y (bvor y z) (bvor y").replace("(bvsub", "(bvadd");
        let script = if smtlib::parse(&mut Store::new(), &script).errors.is_empty() { script } else { bits(&mut rng) };
        let mut store = Store::new();
        let problem = instance(&mut store, &format!("{script}(check-sat)"));
        let solvers = Arc::new(Solvers::default());
        let plan = plan(&read(&format!("(rules \"{RIGHT}\")")), &solvers).expect("the rules are right");
        let goal =
            Goal::of(&mut store, &problem.assertions, Wants::ALL, &PassSettings::default()).expect("it is a goal");
        let before: Vec<_> = goal.terms().collect();
        let shared = Arc::new(Shared::new(solvers, problem.declarations.clone(), None));
        let mut state = TacticRun::new(Budget::of(Duration::from_secs(60)), shared, Trace::default());
        let TacticOutcome::Open(open) = plan.run(&mut store, goal, &mut state) else { continue };
        let after: Vec<_> = open.branches[0].goal.terms().collect();
        if before == after {
            continue;
        }
        changed += 1;
        let (before, after) = (store.and(&before), store.and(&after));
        let differ = store.app(Op::new(Kind::Distinct), &[before, after]).expect("both are formulas");
        let answer = solve(&mut store, &[differ], &exhaust, Duration::from_secs(60));
        assert_eq!(answer.word(), "unsat", "{script}");
    }
    assert!(changed >= 1, "no goal has changed");
}

#[test]
fn the_file_of_the_tests_is_there() {
    assert!(Path::new(RIGHT).is_file());
}
