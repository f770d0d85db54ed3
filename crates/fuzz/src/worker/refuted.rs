//! Seeds with wrong labels: what kept a hit of a seed from being a finding may refute the label.

use crate::seeds::quarantine::Quarantined;
use crate::target::Target;
use corpus::seed::Seed;
use corpus::status::own_statuses;
use finding::Trust;
use oracle::candidate::{Candidate, ScriptSource};
use oracle::confirm::{self, Dropped};
use oracle::cpu_meter::CpuMeter;
use oracle::{Asking, TestedSolver, translate, words};
use smtlib::{Status, Store};
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;

/// The entry of a seed in the quarantine, if `reason`, for which its hit is no finding, refutes its label. `others` were asked, too.
pub(super) fn entry(
    candidate: Candidate<'_>,
    reason: &Dropped,
    seed: &Seed,
    target: &TestedSolver,
    others: &[&TestedSolver],
) -> Option<Quarantined> {
    let own = target.solver.installed().spec.to_string();
    let (evidence, solvers) = match reason {
        Dropped::WrongStatus(evidence) => {
            (format!("{} answers otherwise, and the evaluator says: {evidence}", target.label), vec![own])
        }
        Dropped::Contradicted(other) => {
            let second = others.iter().find(|one| one.label == *other);
            let second = second.map(|one| one.solver.installed().spec.to_string());
            let evidence = format!("{} and {other} both answer {}", target.label, candidate.hit.symptom);
            (evidence, std::iter::once(own).chain(second).collect())
        }
        _ => return None,
    };
    let Some(Trust::Trusted(who)) = candidate.truth else { return None };
    let status = candidate.expected.get(candidate.hit.check).map_or("open", |e| words::expected_word(*e));
    let named = solvers.iter().flat_map(|spec| ["--solver", spec]);
    let words = ["squall", "fuzz", &seed.name].into_iter().chain(named).chain(["--mutants", "1", "--out", "again"]);
    // A name with a zero byte names no file.
    let replay = shlex::try_join(words).unwrap_or_default();
    Some(Quarantined {
        seed: seed.name.clone(),
        sha256: seed.sha256.clone(),
        label: format!("{status}, says {who}"),
        check: candidate.hit.check,
        evidence,
        script: format!("quarantine-{}.smt2", seed.sha256.get(..16).unwrap_or_default()),
        replay,
    })
}

/// What the status of each check makes the right answer.
pub(super) fn expected_of(statuses: &[Option<Status>]) -> Vec<Status> {
    statuses.iter().map(|status| status.unwrap_or(Status::Unknown)).collect()
}

/// The entry of a seed whose label somebody else says is wrong, and the script that was sent, if the solvers here refute it, too: each is
/// sent the seed as it is until one does.
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
        let outcome = tested.patient.check(&text, purpose, limits).ok()?;
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
            source: &ScriptSource::Seed,
            confirm_cpu: &cpu,
        };
        let all = reference.into_iter().chain(targets).map(|other| &other.tested);
        let others: Vec<&TestedSolver> = all.filter(|other| other.label != tested.label).collect();
        let reason = confirm::confirm(candidate, tested, &others).err()?;
        Some((entry(candidate, &reason, seed, tested, &others)?, text.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::stops::Stops;
    use crate::target::TargetOptions;
    use corpus::seed::SeedSource;
    use solver::install::Fleet;

    /// What a worker says of a label counts for nothing: the solvers here must refute it.
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
