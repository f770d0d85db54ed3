//! Real wrong answers of a real solver, where the files and the solvers are installed.

use crate::support;
use finding::{FailureKind, Trust};
use reduce::Subject;
use reduce::query::TrustedSolver;
use solver::install::Fleet;

/// The file under z3 4.8.7: reduced below `bytes`, certified, and still wrong when asked again.
fn check(file: &str, bytes: usize) {
    let Some(folder) = testing::shared("known-bugs") else { return };
    let fleet = Fleet::of_user().unwrap();
    let target = fleet.resolve(&"z3@4.8.7".parse().unwrap()).ok();
    let Some(target) = testing::require("z3@4.8.7", target) else { return };
    let others = fleet.list().into_iter().filter(|i| i.version != target.version);
    let others: Vec<TrustedSolver> = others
        .filter(|i| matches!(i.profile.name.as_str(), "z3" | "cvc5"))
        .map(|i| TrustedSolver::new(fleet.solver(i)))
        .collect();
    // These solvers find a first model.
    let Some(others) = testing::require("z3", (!others.is_empty()).then_some(others)) else { return };
    let dialect = reduce::query::dialect(&target);
    let question = reduce::start::ReductionTask {
        trusted: others,
        ..support::question(fleet.solver(target), Some(FailureKind::Unsat), "")
    };
    let input = std::fs::read(folder.join("known-bugs").join(file)).unwrap();
    let mut subject = Subject::read(&input, dialect.clone()).unwrap();
    let begun = reduce::start::start(&mut subject, &question).unwrap();
    let (text, report) = support::run(subject, begun.evidence, begun.judge, 2);
    assert!(text.len() < bytes, "{file}: {} bytes are left:\n{text}", text.len());
    assert_eq!(report.truth, Trust::Certified, "{file}");
    // A fresh start: the reduced text still fails, and a model of it is found and certified.
    let mut again = Subject::read(text.as_bytes(), dialect).unwrap();
    let anew = reduce::start::start(&mut again, &question).unwrap();
    assert_eq!(anew.evidence.truth, Trust::Certified, "{file}");
}

#[test]
fn storm_mutants() {
    check("storm-bug7-A-mutant_668.smt2", 300);
    check("storm-bug9-A-mutant_15.smt2", 300);
    check("storm-problem026-csu-mutant_38.smt2", 300);
}
