//! The logic that a mutant is given.

use crate::support::read;
use mutate::{TargetSpelling, UnnamedLogic};

#[test]
fn a_target_that_wants_a_logic_is_told_one_where_the_seed_names_none() {
    let check = |logic: &str, target: UnnamedLogic, expect: &str| {
        let (store, instances) = read(&format!("{logic}(declare-const x Int)(assert (< (* 2 x) 3))(check-sat)"));
        let target = TargetSpelling { unnamed_logic: target, ..TargetSpelling::default() };
        let mut text = String::new();
        mutate::preamble::print(&store, &instances[0], &instances[0].assertions, &target, &mut text);
        assert_eq!(text, format!("{expect}(declare-fun x () Int)\n"), "{logic} {target:?}");
    };
    let among = |logics: &[&str]| UnnamedLogic::among(Some(&logics.iter().map(|l| l.to_string()).collect::<Vec<_>>()));
    check("", UnnamedLogic::LeftOut, "");
    check("", UnnamedLogic::among(None), "");
    check("", among(&[]), "(set-logic QF_LIA)\n");
    check("", among(&["QF_BV", "QF_UFLIA"]), "(set-logic QF_UFLIA)\n");
    check("", among(&["QF_BV"]), "");
    check("(set-logic AUFLIA)", among(&["QF_UFLIA"]), "(set-logic AUFLIA)\n");
    check("(set-logic HORN)", UnnamedLogic::LeftOut, "");
    check("(set-logic HORN)", among(&[]), "(set-logic QF_LIA)\n");
}

#[test]
fn the_logic_of_clauses_stays_while_all_assertions_are_clauses() {
    let check = |assertion: &str, target: &TargetSpelling, expect: &str| {
        let (store, instances) = read(&format!(
            "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) {assertion}))(check-sat)"
        ));
        let mut text = String::new();
        mutate::preamble::print(&store, &instances[0], &instances[0].assertions, target, &mut text);
        assert_eq!(text, format!("{expect}(declare-fun p (Int) Bool)\n"), "{assertion}");
    };
    let target = TargetSpelling::default();
    check("(=> (and (p x) (> x 0)) (p (+ x 1)))", &target, "(set-logic HORN)\n");
    check("(=> (p x) (not (p (+ x 1))))", &target, "(set-logic HORN)\n");
    check("(or (p x) (p (+ x 1)))", &target, "");
    check("(= (p x) (> x 0))", &target, "");
    let lacks = TargetSpelling { lacks: vec!["HORN".into()], ..target };
    check("(=> (> x 0) (p x))", &lacks, "");
}
