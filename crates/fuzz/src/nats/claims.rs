//! Findings that workers claim: the coordinator's own solver must confirm each before it counts, since anyone with write access to the
//! server can claim anything.
//!
//! Invariant: nothing that a record names is run. The stored record names the coordinator's own solver with options of its profile.

use super::wire::Refusal;
use crate::state::finding_index::GroupKey;
use crate::under_test::Target;
use finding::Finding;
use finding::folder::FindingFile;
use oracle::question::purpose_of;
use oracle::replay::SavedFinding;
use oracle::tested::DrawnOptions;
use solver::process::ProcessLimits;
use solver::profile::OptionChoice;
use solver::spec::SolverSpec;
use std::path::PathBuf;
use std::time::Duration;

/// How often a claim is tried: some findings show only sometimes.
const TRIALS: u32 = 3;
/// How much longer than the campaign's limit a run may have been given, for solvers that start slowly.
const START: Duration = Duration::from_secs(5);

/// A worker's claim, after a check of its format.
pub(super) enum ReceivedClaim {
    /// A finding.
    Finding(WorkerClaim),
    /// The label of a seed, given by its position, is wrong.
    Refuted(usize),
}

/// A finding claimed by a worker.
pub(super) struct WorkerClaim {
    pub(super) key: GroupKey,
    pub(super) finding: Box<Finding>,
    pub(super) files: Vec<(FindingFile, Vec<u8>)>,
}

impl WorkerClaim {
    fn text(&self, file: FindingFile) -> Result<Option<String>, Refusal> {
        let file = self.files.iter().find(|(known, _)| *known == file);
        file.map(|(_, bytes)| String::from_utf8(bytes.clone()).map_err(|_| Refusal::Shape)).transpose()
    }

    /// Has the coordinator's solver repeat the finding, and makes the record refer to this solver. Returns whether it shows again.
    /// Errors: the record names something that does not belong to the campaign.
    pub(super) fn confirm(
        &mut self,
        targets: &[Target],
        reference: Option<&Target>,
        limits: &ProcessLimits,
    ) -> Result<bool, Refusal> {
        let target = targets.get(self.key.target).ok_or(Refusal::Shape)?;
        let target = drawn(target, &self.finding).ok_or(Refusal::Solver)?;
        if self
            .finding
            .slowness
            .as_ref()
            .is_some_and(|slowness| !is_reference_solver(&slowness.spec, &target, targets.iter().chain(reference)))
        {
            return Err(Refusal::Solver);
        }
        let record = &mut self.finding.solver;
        let most = limits.wall.saturating_add(START).as_secs_f64();
        record.timeout_s = if record.timeout_s > 0.0 { record.timeout_s.min(most) } else { most };
        record.memory_bytes = limits.memory_bytes;
        record.spec = target.tested.spec().to_string();
        let installed = target.tested.solver.installed();
        record.version = installed.version.as_ref().map(ToString::to_string);
        record.origin.clone_from(&installed.origin);
        record.program_sha256.clone_from(&target.tested.program_sha256);
        let command = target.tested.solver.command_line(purpose_of(&record.purposes), limits);
        record.command = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let saved = SavedFinding {
            folder: PathBuf::new(),
            mutant: self.text(FindingFile::Mutant)?.ok_or(Refusal::Shape)?,
            earlier: self.text(FindingFile::Predecessors)?.unwrap_or_default(),
            witness: self.text(FindingFile::Witness)?,
            finding: (*self.finding).clone(),
        };
        let shows = || saved.replay(&target.tested.confirming).is_ok_and(|replayed| replayed.reproduces);
        Ok((0..TRIALS).any(|_| shows()))
    }
}

/// Returns the solver with the options drawn for a finding. `None` if its profile lacks one of them.
fn drawn(target: &Target, finding: &Finding) -> Option<Target> {
    let options = &finding.solver.drawn_options;
    let known: Vec<String> = target.tested.solver.profile().choice.iter().flat_map(OptionChoice::settings).collect();
    if !options.iter().all(|option| known.contains(option)) {
        return None;
    }
    let (commands, words): (Vec<String>, Vec<String>) =
        options.iter().cloned().partition(|option| option.starts_with('('));
    let commands = commands.into_iter().map(String::into_boxed_str).collect();
    Some(target.with_options(DrawnOptions { words, commands, ..DrawnOptions::default() }))
}

/// Whether slowness may be measured by this solver: one of the campaign, or an installed release or mode of the same solver.
fn is_reference_solver<'t>(spec: &str, target: &Target, mut others: impl Iterator<Item = &'t Target>) -> bool {
    let profile = target.tested.solver.profile();
    let own = target.tested.spec();
    let is_known = |word: &String| {
        own.options().contains(word)
            || profile.switches.iter().any(|switch| switch.split_whitespace().any(|known| known == word))
    };
    others.any(|other| other.tested.spec().to_string() == spec)
        || match spec.parse::<SolverSpec>() {
            Ok(SolverSpec::Named(named)) => named.name == profile.name && named.options.iter().all(is_known),
            Ok(SolverSpec::Path(path)) => {
                matches!(&own, SolverSpec::Path(ours) if ours.path == path.path) && path.options.iter().all(is_known)
            }
            Ok(SolverSpec::Builtin(_)) | Err(_) => false,
        }
}

#[cfg(test)]
#[path = "../../tests/unit/claims.rs"]
mod tests;
