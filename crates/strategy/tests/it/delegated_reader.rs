//! What z3 prints after a tactic.

use rewrite::Precision;
use smtlib::Store;
use strategy::delegated::reader::{AppliedReader, DelegatedGoal};

const SAID: &str = "(goals\n(goal (or k!0 p) :precision under :depth 1)\n)\n(declare-fun p () Bool)\n(declare-fun k!0 () Bool)\n\
    (assert (or k!0 p))\n(check-sat)\n(model-del k!0)\n(model-add b () (_ BitVec 2) (mkbv k!0 k!1))\n";

fn read(said: &str) -> Result<DelegatedGoal, String> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, "(declare-const p Bool)(declare-const b (_ BitVec 2))");
    AppliedReader::new(&mut store, &parsed.script.commands)?.read(said)
}

#[test]
fn what_z3_prints_is_read() {
    let goal = read(SAID).expect("it is understood");
    assert_eq!((goal.formulas.len(), goal.precision), (1, Precision::Under));
    // One symbol is forgotten, and the vector is made of two bits.
    assert_eq!(goal.conversions.map(|all| all.len()), Some(2));
    let check = |said: &str, expect: &str| {
        let error = read(said).err().unwrap_or_default();
        assert!(error.contains(expect), "{said}: {error}");
    };
    check("(error \"tactic failed: x\")", "tactic failed: x");
    check("unsupported", "it says `unsupported`");
    check("", "no goal");
    check("(goals (goal :precision often))", "precision often");
    check("(goals (goal :precision precise))(assert (= q p))", "cannot be read");
    check("(goals (goal :precision precise))(declare-fun f (V) Bool)", "cannot be read");
}

/// A converter that is not understood yields no models.
#[test]
fn what_is_not_understood_is_no_way_back() {
    let check = |line: &str| {
        let goal = read(&format!("(goals (goal :precision precise)){line}")).expect("a goal without formulas");
        assert!(goal.conversions.is_none(), "{line}");
    };
    check("(some-model-converter p)");
    check("(model-add p () Bool (unknown b))");
    check("(model-add b () (_ BitVec 2) (mkbv p))");
    check("(model-add b () (_ BitVec 2) (mkbv))");
    check("(model-add f ((x Int)) Int x)");
    check("(fpa2bv-model-converter (p))");
    check("()");
}

#[test]
fn an_answer_cut_short_anywhere_is_no_panic() {
    for end in 0..SAID.len() {
        let _ = read(&SAID[..end]);
    }
}
