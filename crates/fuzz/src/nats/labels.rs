//! Wrong seed labels reported by workers, checked again by the coordinator's solvers.

use crate::seeds::Quarantined;
use crate::under_test::Target;
use crate::worker::refuted::{expected_of, quarantine_entry};
use corpus::own_statuses;
use corpus::seed::Seed;
use finding::Trust;
use oracle::candidate::CpuMeter;
use oracle::candidate::{Candidate, ScriptSource};
use oracle::confirm::{self};
use oracle::{Asking, TestedSolver, translate};
use smtlib::Store;
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;

/// Returns the quarantine entry of a seed whose label a worker reports as wrong, and the script sent, if the local solvers refute it as
/// well: each receives the unmutated seed until one does.
pub(crate) fn found_again(
    seed: &Seed,
    targets: &[Target],
    reference: Option<&Target>,
    limits: &ProcessLimits,
) -> Option<(Quarantined, String)> {
    let (statuses, who) = own_statuses(seed);
    let expected = expected_of(&statuses);
    let (truth, store, cpu) = (Some(Trust::in_words(who)), Store::new(), CpuMeter::default());
    targets.iter().find_map(|Target { tested, .. }| {
        let text = translate::script(&seed.store, &seed.script.commands, tested);
        let purpose = SessionNeeds::of_script(expected.len(), &text);
        let outcome = tested.confirming.check(&text, purpose, limits).ok()?;
        let hit = oracle::judge(&expected, &outcome, Asking::of(&text))?;
        let candidate = Candidate {
            hit: &hit,
            text: &text,
            earlier: "",
            expected: &expected,
            truth: &truth,
            store: &store,
            witness: None,
            purpose,
            limits,
            outcome: &outcome,
            false_assertion: None,
            slowness: None,
            relation: None,
            source: &ScriptSource::Seed,
            confirm_cpu: &cpu,
        };
        let all = reference.into_iter().chain(targets).map(|other| &other.tested);
        let others: Vec<&TestedSolver> = all.filter(|other| other.label != tested.label).collect();
        let reason = confirm::confirm(candidate, tested, &others).err()?;
        Some((quarantine_entry(candidate, &reason, seed, tested, &others)?, text.clone()))
    })
}

#[cfg(test)]
mod tests {
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
}
