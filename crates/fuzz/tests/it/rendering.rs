//! Scripts rendered for a solver: in its names, as far as they can be.

use fuzz::Stops;
use fuzz::target::{Target, TargetOptions, render};
use smtlib::{Dialect, Store};
use solver::install::Fleet;

/// A target that wants sets as z3 does since 5.0.
fn target() -> Target {
    let fleet = Fleet::of_user().expect("the profiles are in order");
    let found = fleet.resolve(&"builtin:sat".parse().expect("a solver's name")).expect("it is always there");
    let wishes = TargetOptions { mutators: vec!["storm".to_string()], ..TargetOptions::default() };
    let mut target = Target::new(fleet.solver(found), &wishes, &Stops::default()).expect("the mutator is there");
    target.spelling.dialect = Dialect::renamed([("Set", "FiniteSet"), ("set.member", "set.in")]);
    target
}

/// What is carried as text has the names that it was read with: where that is about z3's arrays, their sort keeps its name, too.
#[test]
fn sets_have_the_solvers_name_unless_they_are_arrays() {
    let target = target();
    let check = |text: &str, expect: &str| {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, text);
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
        let rendered = render::script(&store, &parsed.script.commands, &target);
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
