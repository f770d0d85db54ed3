//! Unit tests of `src/nats/labels.rs`.

use super::*;
use crate::sync::Stops;
use crate::under_test::TargetOptions;
use corpus::seed::SeedSource;
use solver::install::Fleet;

/// A worker's report about a label counts for nothing: local solvers must refute it.
#[test]
fn a_label_is_refuted_by_the_solvers_that_are_here() {
    let folder = tempfile::tempdir().expect("a folder");
    let fleet = Fleet::of_user().expect("a fleet");
    let check = |assertions: &str, said: &[&str], expect: Option<&str>| {
        let program = |(n, said): (usize, &&str)| {
            let script = format!("#!/bin/sh\ncat > /dev/null\necho {said}\n");
            let program = testing::executable(&folder.path().join(format!("solver{n}")), &script);
            let installed = fleet.resolve(&program.parse().expect("a path")).expect("it is there");
            Target::new(fleet.solver(installed), &TargetOptions::default(), &Stops::default()).expect("a target")
        };
        let targets: Vec<Target> = said.iter().enumerate().map(program).collect();
        let path = folder.path().join("a'b.smt2");
        std::fs::write(&path, format!("(set-info :status sat)(declare-const s String){assertions}(check-sat)"))
            .expect("a seed");
        let seed = SeedSource::File(path).load().expect("it is read");
        let found = found_again(&seed, &targets, None, &ProcessLimits::default());
        assert_eq!(found.is_some(), expect.is_some(), "{assertions} {said:?}");
        if let (Some((entry, script)), Some(evidence)) = (found, expect) {
            assert!(entry.evidence.contains(evidence), "{}", entry.evidence);
            assert!(entry.sha256 == seed.sha256 && script.contains("(check-sat)"));
            let words = shlex::split(&entry.replay).expect("a command line");
            assert!(words[..3] == ["squall", "fuzz", &seed.name], "{}", entry.replay);
        }
    };
    let wrong = "(assert false)";
    check(wrong, &["unsat"], Some("the evaluator says"));
    check(wrong, &["sat"], None);
    check("(assert true)", &["unsat"], None);
    let open = "(assert (= (str.len s) (str.to_int (str.replace_all s \"a\" \"bb\"))))";
    check(open, &["unsat"], None);
    check(open, &["unsat", "unsat"], Some("both answer unsat"));
}
