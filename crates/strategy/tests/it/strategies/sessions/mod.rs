//! Sessions: the responses to every command (SMT-LIB 2.7, chapter 4).

mod named;

use crate::strategies::support::{read, script};
use solver::install::Fleet;
use std::collections::BTreeMap;
use std::path::Path;
use strategy::Solvers;
use strategy::session::{ByStrategy, NextStep, Session, Splitter};

fn said(text: &str) -> String {
    let named = BTreeMap::from([
        ("mine".to_string(), "(then first smt)".to_string()),
        ("first".to_string(), "simplify".to_string()),
    ]);
    let mut decide = ByStrategy::new(Solvers::default(), &named).expect("the named strategies are right");
    let mut session = Session::new(&mut decide);
    // Command by command, as a client sends them.
    let mut splitter = Splitter::default();
    splitter.push(text.as_bytes());
    let mut out = String::new();
    while let Some(command) = splitter.next_command() {
        if session.read(&String::from_utf8_lossy(&command), &mut out) == NextStep::Exit {
            return out;
        }
    }
    session.read(&String::from_utf8_lossy(&splitter.rest()), &mut out);
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

/// `default` in a script means no explicit strategy, by the logic of the problem; it once meant the strategy for all logics.
#[test]
fn the_default_is_that_of_the_logic() {
    let far = "(declare-const x Int)(declare-const y Int)(assert (= (* 51725 x) (+ 241 (* 482 y))))";
    check(
        &format!("{far}(check-sat)(check-sat-using default)(check-sat-using ( then simplify smt ))"),
        "sat sat unknown",
    );
    check("(declare-const x Int)(assert (forall ((y Int)) (> y x)))(check-sat-using smt)", "unsat");
}

/// Strategies of Z3's own tests that failed on what lies between theories: values of bit-vectors below a float, and an integer made of bits of
/// an integer.
#[test]
fn strategies_go_on_where_theories_meet() {
    let float = "(declare-const x Float32)(declare-const a (_ BitVec 8))(assert (fp.gt x (fp #b0 #x86 #b00000000000000000000001)))
        (assert (= (bvadd a #x01) #x00))";
    check(&format!("{float}(check-sat-using (then bit-blast smt))(get-value (a))"), "sat ((a #xff))");
    // A symbol that becomes bits may not stay in an atom.
    let mixed = "(declare-const a (_ BitVec 8))(assert (= (bvadd a #x01) #x00))(assert (> (ubv_to_int a) 3))";
    check(&format!("{mixed}(check-sat-using (then bit-blast smt))"), "unknown");
    // A quantifier of nothing.
    let nothing = "(declare-const r Real)(assert (forall ((x Real) (b Bool)) (= r 749.0)))";
    check(&format!("{nothing}(assert (> r 22899.0))(check-sat-using (then simplify solve-eqs))"), "unsat");
    check(
        &format!("{nothing}(assert (exists ((x Int)) (< x r)))(check-sat-using (then simplify solve-eqs smt))"),
        "sat",
    );
    let bits = "(declare-const t Int)(assert (< t (ubv_to_int ((_ int_to_bv 3) t))))";
    check(&format!("{bits}(check-sat-using (then qfidl smt))"), "sat");
    check(&format!("{bits}(assert (<= 0 t))(check-sat-using (then simplify smt))"), "unsat");
    check(&format!("{bits}(assert (= t (- 3)))(check-sat-using (then simplify smt))"), "sat");
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
    // The terms as they were asked, not as they are kept.
    check(
        "(declare-const p Bool)(assert p)(check-sat)(get-value ((and p (and p true)) (let ((q p)) (not (not q))) |p|))",
        "sat (((and p (and p true)) true) ((let ((q p)) (not (not q))) true) (|p| true))",
    );
    let named = "(declare-const p Bool)(assert (! (or (! (not p) :named n) p) :named |a b|))(assert p)";
    check(
        &format!(
            "(set-option :produce-assignments true){named}(check-sat)(get-assignment)(push)(assert (! p :named m))"
        ),
        "sat ((n false) (|a b| true))",
    );
    check(
        &format!(
            "(set-option :produce-assignments true){named}(push)(assert (! p :named m))(pop)(check-sat)(get-assignment)"
        ),
        "sat ((n false) (|a b| true))",
    );
    check(
        "(set-option :produce-assignments true)(get-assignment)",
        "(error \"there is no model: nothing was checked since the assertions changed\")",
    );
    check(
        &format!("{named}(check-sat)(get-assignment)"),
        "sat (error \"get-assignment needs (set-option :produce-assignments true) before it\")",
    );
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

/// The standard's execution modes and syntax, where they were not heeded: a second logic was taken, and `()` was an answer.
#[test]
fn commands_out_of_place_are_errors() {
    let set = |place: &str, why: &str| {
        format!("(error \"line 1 column {place}: {why}; (reset) first, which forgets everything else, too\")")
    };
    let again = "the logic is set already";
    check("(set-logic QF_LIA)(set-logic QF_LIA)(check-sat)", &format!("{} sat", set("30", again)));
    check(
        "(set-logic QF_LRA)(declare-const x Real)(assert (= x 1))(set-logic QF_LIA)(assert (= x 1))(check-sat)",
        &format!("{} sat", set("68", again)),
    );
    check("(set-logic QF_LIA)(reset-assertions)(set-logic QF_LRA)", &set("48", again));
    check("(set-logic QF_LIA)(reset)(set-logic QF_LRA)(check-sat)", "sat");
    let late = "the logic must be set before anything is asserted, checked or pushed";
    check("(declare-const p Bool)(set-logic QF_UF)(check-sat)", "sat");
    check("(assert true)(set-logic QF_UF)(check-sat)", &format!("{} sat", set("25", late)));
    check("(check-sat)(set-logic QF_UF)(check-sat)", &format!("sat {} sat", set("23", late)));
    check("(check-sat)(get-value ())", "sat (error \"line 1 column 24: unexpected `)`; expected a term\")");
    check("(get-info)", "(error \"line 1 column 10: unexpected `)`; expected a keyword such as :status\")");
    check("(get-option :verbosity 1)", "(error \"line 1 column 24: unexpected `1`; expected `)` after the command\")");
    check("(get-assertions 1)", "(error \"line 1 column 17: unexpected `1`; expected `)` after the command\")");
    check("(get-info ; (comment)\n :name)( get-info\n:name)", "(:name \"squall\") (:name \"squall\")");
}

/// Each of these once made all checks after it unknown, or forgot the model.
#[test]
fn commands_of_solvers_are_refused_alone() {
    let around = |command: &str, answer: &str| {
        check(
            &format!("(declare-const p Bool)(assert p)(check-sat){command}(get-value (p))(assert (not p))(check-sat)"),
            &format!("sat {answer} ((p true)) unsat"),
        );
    };
    for command in [
        "(apply (then simplify smt))",
        "( ; (assert\n apply simplify)",
        "(help-tactic)",
        "(help)",
        "(display p)",
        "(eval p)",
        "(simplify (and p p))",
        "(labels)",
        "(get-objectives)",
        "(get-consequences (p) (p))",
        "(get-interpolant A p)",
        "(set-feature :x y)",
        "(dbg-bool-rewriter p)",
    ] {
        around(command, "unsupported");
    }
    let objective = |name: &str| {
        format!(
            "(error \"{name} is not supported: objectives are no part of a check here; --exhaust finds small ones\")"
        )
    };
    around("(minimize (ite p 1 2))", &objective("minimize"));
    around("(assert-soft (not p) :weight 2)", &objective("assert-soft"));
    // A query of rules is a check, and this one is not read.
    check(
        "(declare-const p Bool)(assert p)(check-sat)(query q)(get-value (p))",
        "sat unknown (error \"there is no model: the last check was answered unknown\")",
    );
    // What may assert something leaves nothing known.
    check(
        "(declare-const p Bool)(assert p)(check-sat)(block-model :values)(check-sat)(get-value (p))",
        "sat unsupported unknown (error \"there is no model: the last check was answered unknown\")",
    );
    check("(include \"more.smt2\")(check-sat)(reset)(check-sat)", "unsupported unknown sat");
    // A tactic that is declared stands for its name.
    assert_eq!(said("(declare-tactic t (then simplify smt))(check-sat-using t)(check-sat)").trim(), "sat\nsat");
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
fn the_session_ends_at_exit() {
    let mut decide = ByStrategy::new(Solvers::default(), &BTreeMap::new()).expect("nothing is named");
    let mut session = Session::new(&mut decide);
    let mut out = String::new();
    assert_eq!(session.read("(check-sat)", &mut out), NextStep::Continue);
    assert_eq!(session.read("(exit)", &mut out), NextStep::Exit);
}

/// Has a z3, started by a shell script of this body, decide a hundred checks that share an assertion; how often it was started.
fn starts(body: &str, cores: bool) -> Option<usize> {
    let (_, z3) = testing::require("z3", solver::testing::z3())?;
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

/// With `--own-engines` scripts could ask solvers all the same.
#[test]
fn nobody_else_answers_where_only_our_own_engines_may() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let told = folder.path().join("told");
    let asks = format!("(exec \"touch {}\")", told.display());
    let said = |named: &[(&str, &str)], script: &str| {
        let named: BTreeMap<String, String> = named.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let mut decide = ByStrategy::new(Solvers::default(), &named).expect("the named strategies are right");
        decide.own_engines = true;
        assert!(decide.give(&read("(or-else fail (solver z3))")).is_err_and(|why| why.contains("`z3`")));
        let mut out = String::new();
        Session::new(&mut decide).read(&format!("(declare-const p Bool)(assert p){script}"), &mut out);
        assert!(!told.exists());
        out
    };
    let refused = |named: &[(&str, &str)], strategy: &str| {
        let out = said(named, &format!("(check-sat-using {strategy})"));
        assert!(out.contains("with --own-engines only the engines of this program answer"), "{strategy}: {out}");
    };
    refused(&[], "(solver z3)");
    refused(&[], "(then (solver-tactic z3 simplify) smt)");
    refused(&[], "(or-else smt (smt (solver cvc5)))");
    refused(&[], "qe");
    refused(&[("mine", &asks)], "mine");
    assert_eq!(said(&[], "(check-sat-using smt)"), "sat\n");
    // Defaults are not chosen for a check: those that ask others are passed over.
    assert_eq!(said(&[("default", &asks)], "(check-sat)"), "sat\n");
    assert_eq!(said(&[("default", &asks), ("qfuf", &asks)], "(check-sat)"), "sat\n");
    let fails = "(when has-quantifiers fail)";
    assert_eq!(said(&[("qfuf", &asks), ("default", fails)], "(check-sat)"), "unknown\n");
}

/// A model had no text once a value in an array was irrational. The reader of models gives each such value a name of its own.
#[test]
fn irrational_values_are_roots_also_inside_of_values() {
    let Some((_, z3)) = testing::require("z3", solver::testing::z3()) else { return };
    let Some(program) = z3.installed().command.first() else { return };
    let solvers = Fleet::of_user().map_or_else(|_| Solvers::default(), Solvers::of);
    let mut decide = ByStrategy::new(solvers, &BTreeMap::new()).expect("no strategies");
    let program = Path::new(program).display();
    decide.give(&read(&format!("(solver \"z3:{program}\")"))).expect("it is there");
    let mut out = String::new();
    let script = "(declare-const x Real)(declare-const a (Array Int Real))(assert (= (* x x) 2.0))(assert (> x 0.0))\
                  (assert (= (select a 1) x))(check-sat)(get-model)(get-value (x))(get-value (a))(get-value ((* x x)))";
    Session::new(&mut decide).read(script, &mut out);
    let lines: Vec<&str> = out.lines().collect();
    let irrational = "is irrational (an algebraic number), for which SMT-LIB has no literal\")";
    assert_eq!(lines[0], "sat", "{out}");
    let root = "(root-obj (+ (^ x 2) (- 2)) 2)";
    assert!(
        out.contains(&format!("(define-fun x () Real {root})"))
            && out.matches(root).count() == 3
            && !out.contains("squall!"),
        "{out}"
    );
    let lines = &lines[lines.len() - 3..];
    assert_eq!(lines[0], format!("((x {root}))"));
    assert_eq!(lines[1], format!("(error \"the value of a {irrational}"));
    assert_eq!(lines[2], "(((* x x) 2.0))");
}
