//! Sessions: what is said to every command (SMT-LIB 2.7, chapter 4).

use crate::support::{read, script};
use solver::install::Fleet;
use std::collections::BTreeMap;
use std::path::Path;
use strategy::Solvers;
use strategy::session::{ByStrategy, Next, Session};

fn said(text: &str) -> String {
    let named = BTreeMap::from([
        ("mine".to_string(), "(then first smt)".to_string()),
        ("first".to_string(), "simplify".to_string()),
    ]);
    let mut decide = ByStrategy::new(Solvers::default(), &named).expect("the named strategies are right");
    let mut session = Session::new(&mut decide);
    let mut out = String::new();
    session.read(text, &mut out);
    out
}

fn check(text: &str, expect: &str) {
    let lines = said(text);
    let squeezed: Vec<&str> = lines.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(squeezed.join(" "), expect, "{text}");
}

#[test]
fn checks_and_levels() {
    check(
        "(declare-const p Bool)(assert p)(check-sat)(push)(assert (not p))(check-sat)(pop)(check-sat)",
        "sat unsat sat",
    );
    check("(declare-const p Bool)(check-sat-assuming (p))(check-sat-assuming (p (not p)))(check-sat)", "sat unsat sat");
    check(
        "(push 2)(get-info :assertion-stack-levels)(pop 1)(get-info :assertion-stack-levels)",
        "(:assertion-stack-levels 2) (:assertion-stack-levels 1)",
    );
    check(
        "(declare-const p Bool)(assert p)(reset-assertions)(declare-const p Int)(assert (= p 3))(check-sat)(get-value (p))",
        "sat ((p 3))",
    );
    check("(declare-const p Bool)(assert (not p))(reset)(declare-const p Int)(assert (> p 3))(check-sat)", "sat");
    check("(echo \"a \"\"b\"\"\")(exit)(echo \"never\")", "\"a \"\"b\"\"\"");
}

#[test]
fn success_is_printed_on_request() {
    check(
        "(set-option :print-success true)(declare-const p Bool)(assert p)(check-sat)(push)(pop)(exit)",
        "success success success sat success success success",
    );
    check(
        "(set-option :print-success true)(set-info :source |x|)(set-option :print-success false)(set-logic ALL)",
        "success success",
    );
    check(
        "(set-option :print-success true)(set-option :no-such-option 3)(get-option :print-success)",
        "success unsupported true",
    );
}

#[test]
fn models_values_and_cores() {
    check(
        "(declare-const x Int)(declare-const q Bool)(assert (= x 7))(check-sat)(get-value (x (+ x 1)))(get-model)",
        "sat ((x 7) ((+ x 1) 8)) ( (define-fun x () Int 7) (define-fun q () Bool false) )",
    );
    check("(declare-fun f (Int) Int)(assert (= (f 1) 5))(check-sat)(get-value ((f 1)))", "sat (((f 1) 5))");
    check(
        "(set-option :produce-unsat-cores true)(declare-const p Bool)(assert (! p :named |a b|))\
           (assert (! (or p p) :named c))(assert (! (not p) :named d))(assert true)(check-sat)(get-unsat-core)",
        "unsat (|a b| d)",
    );
    check(
        "(set-option :produce-unsat-assumptions true)(declare-const p Bool)(declare-const q Bool)(assert (not p))\
           (check-sat-assuming (q p))(get-unsat-assumptions)",
        "unsat (p)",
    );
    check("(declare-const p Bool)(assert p)(get-assertions)", "( p)");
}

#[test]
fn mistakes_get_one_error_each() {
    let has = |text: &str, parts: &[&str]| {
        let lines = said(text);
        for part in parts {
            assert!(lines.contains(part), "{part} is missing in {lines}");
        }
        assert_eq!(lines.matches("(error ").count(), 1, "{lines}");
    };
    has("(get-model)", &["there is no model: nothing was checked"]);
    has("(assert false)(check-sat)(get-model)", &["unsat", "the last check was answered unsat"]);
    has("(check-sat)(assert true)(get-model)", &["sat", "there is no model"]);
    has("(check-sat)(get-unsat-core)", &["not answered unsat"]);
    has("(assert x)(check-sat)", &["line 1 column 9", "unknown symbol `x`", "sat"]);
    has("(check-sat-using (then simplify))(check-sat-using (then simplfy smt))", &["did you mean `simplify`"]);
    has("(set-option :print-success maybe)", &["true or false"]);
    has("(set-option :produce-models 3)(get-option :produce-models)", &["true or false", "true"]);
    has("(pop 1)", &["fewer are open"]);
    has("(maximize x)", &["(error"]);
    has("(check-sat)(get-info :reason-unknown)", &["sat", "not answered unknown"]);
    check("(set-option :nosuch 1)(get-option :nosuch)", "unsupported unsupported");
}

/// A client sends command after command; the place of a mistake is that in all it sent.
#[test]
fn mistakes_are_placed_in_the_whole_input() {
    let mut decide = ByStrategy::new(Solvers::default(), &BTreeMap::new()).expect("there are none");
    let mut session = Session::new(&mut decide);
    let mut check = |text: &str, place: Option<&str>| {
        let mut out = String::new();
        session.read(text, &mut out);
        match place {
            Some(place) => assert!(out.contains(place), "{place}: {out}"),
            None => assert!(!out.contains("error"), "{out}"),
        }
    };
    check("(declare-const p Bool)", None);
    check("(assert x)", Some("line 1 column 31"));
    check("\n\n(assert p)", None);
    check("\n  (assert\n y)", Some("line 5 column 2"));
    check("(assert z)\n", Some("line 5 column 12"));
    check("(assert u)", Some("line 6 column 9"));
}

#[test]
fn a_script_may_name_its_strategy() {
    check(
        "(declare-const p Bool)(assert p)(check-sat-using (then simplify smt))(check-sat-using mine)(check-sat-using fail)",
        "sat sat unknown",
    );
    check(
        "(declare-const p Bool)(assert p)(check-sat-using fail)(get-info :reason-unknown)",
        "unknown (:reason-unknown \"fail\")",
    );
    assert!(
        said("(check-sat-using (then smt (using-params mine :no-such-parameter 3)))").contains("no-such-parameter")
    );
}

#[test]
fn named_strategies_may_not_go_in_circles() {
    let wrong = |pairs: &[(&str, &str)], words: &str| {
        let named = pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let error = ByStrategy::new(Solvers::default(), &named).err().expect("it is wrong");
        assert!(error.contains(words), "{error}");
    };
    wrong(&[("a", "(then b smt)"), ("b", "(then a smt)")], "there is no tactic");
    wrong(&[("simplify", "smt")], "has the name of a tactic");
    wrong(&[("a", "(then smt")], "never closed");
}

#[test]
fn the_session_ends_at_exit() {
    let mut decide = ByStrategy::new(Solvers::default(), &BTreeMap::new()).expect("nothing is named");
    let mut session = Session::new(&mut decide);
    let mut out = String::new();
    assert_eq!(session.read("(check-sat)", &mut out), Next::Continue);
    assert_eq!(session.read("(exit)", &mut out), Next::Exit);
}

/// Has a z3, started by a shell script of this body, decide a hundred checks that share an assertion; how often it was started.
fn starts(body: &str, cores: bool) -> Option<usize> {
    let (_, z3) = solver::testing::z3()?;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let starts = folder.path().join("starts");
    let program = Path::new(z3.installed().command.first()?).display().to_string();
    let body = body.replace("Z3", &format!("{program} \"$@\""));
    let path = script(folder.path(), "z3", &format!("echo started >> {}\n{body}\n", starts.display()));
    let fleet = Fleet::of_user().expect("it was there");
    let mut decide = ByStrategy::new(Solvers::of(fleet), &BTreeMap::new()).expect("nothing is named");
    decide.give(&read(&format!("(solver \"{path}\")"))).expect("the script is there");
    decide.cores = cores;
    let mut session = Session::new(&mut decide);
    let (mut text, mut expect) = ("(declare-const x Int)(assert (> x 0))".to_string(), String::new());
    for n in 0..100 {
        // Names come and go with their levels.
        let y = if n % 2 == 0 { "Int" } else { "Bool" };
        text.push_str(&format!("(push 1)(declare-const y {y})(assert (= y y))(assert (< x {n}))(check-sat)(pop 1)"));
        expect.push_str(if n < 2 { "unsat\n" } else { "sat\n" });
    }
    let mut out = String::new();
    session.read(&text, &mut out);
    assert_eq!(out, expect);
    Some(std::fs::read_to_string(&starts).expect("it was started").lines().count())
}

#[test]
fn checks_that_share_assertions_share_a_process() {
    // One process says its version, one decides the first check alone, one all others.
    for cores in [false, true] {
        let Some(count) = starts("exec Z3", cores) else { return };
        println!("100 checks: {count} starts, version probes included");
        assert!(count <= 3, "{count} processes for 100 checks");
    }
}

#[test]
fn a_process_that_dies_is_replaced() {
    let Some(count) = starts("sed -u 200q | Z3", false) else { return };
    println!("100 checks of a solver that reads 200 lines: {count} starts");
    assert!((5..100).contains(&count), "{count} processes");
}
