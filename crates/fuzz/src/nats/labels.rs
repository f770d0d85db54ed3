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
#[path = "../../tests/unit/labels.rs"]
mod tests;
