//! Seeds with wrong labels: the reason for rejecting a seed's hit may refute the label.

use crate::seeds::Quarantined;
use corpus::seed::Seed;
use finding::Trust;
use oracle::candidate::Candidate;
use oracle::confirm::Dropped;
use oracle::{TestedSolver, question};
use smtlib::Status;

/// Returns the quarantine entry of a seed, if `reason`, which rejected its hit, refutes its label. `others` answered, too.
pub(crate) fn quarantine_entry(
    candidate: Candidate<'_>,
    reason: &Dropped,
    seed: &Seed,
    target: &TestedSolver,
    others: &[&TestedSolver],
) -> Option<Quarantined> {
    let own = target.solver.installed().spec.to_string();
    let (evidence, solvers) = match reason {
        Dropped::WrongStatus(evidence) => {
            (format!("{} disagrees, and the evaluator says: {evidence}", target.label), vec![own])
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
    let status = candidate.expected.get(candidate.hit.check).map_or("open", |e| question::expected_word(*e));
    let named = solvers.iter().flat_map(|spec| ["--solver", spec]);
    let words = ["squall", "fuzz", &seed.name].into_iter().chain(named).chain(["--mutants", "1", "--out", "again"]);
    // A name with a NUL byte is not a file name.
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

/// Returns the right answers according to the statuses of the checks.
pub(crate) fn expected_of(statuses: &[Option<Status>]) -> Vec<Status> {
    statuses.iter().map(|status| status.unwrap_or(Status::Unknown)).collect()
}
