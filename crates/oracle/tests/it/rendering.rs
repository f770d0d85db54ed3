//! Scripts rendered for a solver: in its names, as far as they can be.

use oracle::{TestedSolver, translate};
use smtlib::{Dialect, Store};
use solver::install::{Fleet, InstalledSolver};
use solver::process::CancelToken;
use std::sync::Arc;

/// A target that wants sets as z3 does since 5.0.
fn target() -> TestedSolver {
    let fleet = Fleet::of_user().expect("the profiles are in order");
    let found = fleet.resolve(&"builtin:sat".parse().expect("a solver's name")).expect("it is always there");
    let mut target = TestedSolver::new(fleet.solver(found), &CancelToken::new(), &CancelToken::new());
    target.spelling.dialect = Dialect::renamed([("Set", "FiniteSet"), ("set.member", "set.in")]);
    target
}

/// Commands carried as text keep their original names: if they are about z3's arrays, their sort keeps its name, too.
#[test]
fn sets_have_the_solvers_name_unless_they_are_arrays() {
    let target = target();
    let check = |text: &str, expect: &str| {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, text);
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
        let rendered = translate::script(&store, &parsed.script.commands, &target);
        assert_eq!(rendered.trim(), expect, "{text}");
    };
    check(
        "(declare-fun s () (Set Int))(assert (set.member 1 s))",
        "(declare-fun s () (FiniteSet Int))\n(assert (set.in 1 s))",
    );
    check("(declare-fun s () (Set Int))(assert (select s 1))", "(declare-fun s () (Set Int))\n(assert (select s 1))");
    check(
        "(declare-fun s () (FiniteSet Int))(assert (set.in 1 s))(assert (= (set.map (lambda ((x Int)) x) s) s))",
        "(declare-fun s () (FiniteSet Int))\n(assert (set.in 1 s))\n(assert (= (set.map (lambda ((x Int)) x) s) s))",
    );
}

/// Only the same solver keeps its options, tactics, simplifiers and version-specific names.
#[test]
fn scripts_are_written_anew_for_another_solver() {
    let fleet = Fleet::of_user().expect("the profiles are in order");
    let installed = |profile: &str, version: &str| InstalledSolver {
        spec: "builtin:sat".parse().expect("a solver's name"),
        profile: Arc::clone(fleet.profiles().get(profile).expect("it is known")),
        command: Vec::new(),
        version: version.parse().ok(),
        origin: String::new(),
    };
    let check = |text: &str, profile: &str, version: &str, expect: &str| {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, text);
        let solver = fleet.solver(installed(profile, version));
        assert_eq!(translate::for_solver(&store, &parsed.script.commands, &solver).trim(), expect, "{profile}: {text}");
    };
    let of_z3 = "(set-option :smt.arith.solver 2)(set-option :global-declarations true)(set-info :status sat)(set-logic QF_LIA)\
                 (set-simplifier solve-eqs)(declare-const x Int)(assert (> x 0))(check-sat-using (then simplify smt))(get-model)";
    let plain = "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (> x 0))\n(check-sat)";
    check(of_z3, "generic", "1.0", plain);
    check(of_z3, "cvc5", "1.2.1", &format!("(set-option :global-declarations true)\n{plain}"));
    let to_int = "(assert (= (ubv_to_int #xf) 15))(check-sat)";
    check(to_int, "z3", "4.8.7", "(assert (= (bv2nat #xf) 15))\n(check-sat)");
    let version = |text: &str, from: &str, to: &str, expect: &str| {
        let from = from.parse().ok();
        assert_eq!(translate::for_version(text, from.as_ref(), &installed("z3", to)).trim(), expect, "{text}");
    };
    // For the same solver everything stays, and the exact text if its spelling is the same.
    version(of_z3, "4.8.7", "4.8.7", of_z3);
    let tactic = "(set-option :smt.arith.solver 2)\n(assert (= (ubv_to_int #xf) 15))\n(check-sat-using smt)";
    version(tactic, "5.4.1", "4.8.7", &tactic.replace("ubv_to_int", "bv2nat"));
    version("(assert (= (ubv_to_int #xf) y))", "5.4.1", "4.8.7", "(assert (= (ubv_to_int #xf) y))");
}
