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
mod tests {
    use super::*;
    use crate::sync::Stops;
    use crate::under_test::TargetOptions;
    use serde_json::{Value, json};
    use solver::install::Fleet;
    use std::path::Path;

    const TEXT: &str = "(declare-const p Bool)\n(assert p)\n(check-sat)\n";

    fn target(folder: &Path, name: &str, said: &str) -> Target {
        let program = testing::executable(&folder.join(name), &format!("#!/bin/sh\ncat > /dev/null\necho {said}\n"));
        let fleet = Fleet::of_user().expect("a fleet");
        let installed = fleet.resolve(&program.parse().expect("a path")).expect("it is there");
        Target::new(fleet.solver(installed), &TargetOptions::default(), &Stops::default()).expect("a target")
    }

    fn claim(target: &Target, change: &dyn Fn(&mut Value)) -> WorkerClaim {
        let mut record = json!({
            "format": 1, "id": "A-x", "class": "A", "summary": "s", "origin": "mutant", "trust": {"kind": "observed"}, "check": 0,
            "mode": "plain", "expected": ["sat"], "answers": ["unsat"], "symptom": "unsat", "repeats": {"shown": 2, "runs": 2},
            "solver": {"spec": "/bin/false", "label": target.tested.label, "version": "9", "origin": "x", "purposes": ["models"],
                       "command": ["/bin/false"], "timeout_s": 1e300, "memory_bytes": 1},
            "others": [], "seed": {"name": "a", "sha256": "", "check": 0, "status": null}, "mutator": null,
            "campaign": {"seed": 4, "unit": 9, "index": 0}, "mutant_sha256": "", "mutant_bytes": TEXT.len(), "found_at": 0,
            "run": {"wall_s": 0.0, "cpu_s": 0.0}, "environment": {"squall": "", "os": "", "arch": ""},
        });
        change(&mut record);
        let finding: Finding = serde_json::from_value(record).expect("a record");
        let key = GroupKey {
            class: finding.class,
            target: 0,
            mode: finding.mode.clone(),
            seed: 0,
            from_seed: false,
            options: String::new(),
            symptom: finding.symptom.clone(),
            flaky: false,
        };
        let files = vec![(FindingFile::Mutant, TEXT.as_bytes().to_vec())];
        WorkerClaim { key, finding: Box::new(finding), files }
    }

    #[test]
    fn a_claim_counts_if_the_own_solver_shows_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = target(folder.path(), "z3-own", "unsat");
        let reference = self::target(folder.path(), "cvc5-other", "sat");
        let limits = ProcessLimits::default();
        let check = |change: &dyn Fn(&mut Value), expect: Result<bool, Refusal>| {
            let mut claim = claim(&target, change);
            let judged = claim.confirm(std::slice::from_ref(&target), Some(&reference), &limits);
            assert_eq!(judged, expect, "{:?}", claim.finding);
            if expect.is_ok() {
                let record = &claim.finding.solver;
                assert!(record.spec.starts_with(&target.tested.spec().to_string()), "{}", record.spec);
                assert_eq!(record.command[0], target.tested.solver.installed().command[0].to_string_lossy());
                assert!(record.timeout_s <= limits.wall.as_secs_f64() + START.as_secs_f64());
                assert_eq!((&record.version, record.memory_bytes), (&None, limits.memory_bytes));
            }
        };
        let canary = folder.path().join("canary").display().to_string();
        let run = format!("/bin/sh -c 'touch {canary}'");
        check(&|_| (), Ok(true));
        check(&|record| record["solver"]["spec"] = json!(run), Ok(true));
        check(&|record| record["solver"]["drawn_options"] = json!(["smt.relevancy=0"]), Ok(true));
        check(
            &|record| record["solver"]["drawn_options"] = json!([format!("trace_file_name={canary}")]),
            Err(Refusal::Solver),
        );
        check(
            &|record| record["solver"]["drawn_options"] = json!([format!("(set-option :trace_file_name |{canary}|)")]),
            Err(Refusal::Solver),
        );
        for spec in [&run[..], "z3 -o:/tmp/x", "cvc5@1.4.2", "builtin:sat", ""] {
            let slow = json!({"than": "x", "spec": spec, "cpu_s": 1.0, "other_cpu_s": 0.1});
            check(&|record| record["slowness"] = slow.clone(), Err(Refusal::Solver));
        }
        // The reference may be a path; the script is not slow here.
        let slow = json!({"than": "x", "spec": reference.tested.spec().to_string(), "cpu_s": 1.0, "other_cpu_s": 0.1});
        check(&|record| (record["slowness"], record["class"]) = (slow.clone(), json!("S")), Ok(false));
        check(&|record| record["symptom"] = json!("signal: SIGSEGV"), Ok(false));
        check(&|record| record["trust"] = json!({"kind": "certified"}), Ok(false));
        assert!(!Path::new(&canary).exists());
    }

    #[test]
    fn a_claim_that_nobody_else_sees_does_not_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = target(folder.path(), "z3-own", "sat");
        assert_eq!(claim(&target, &|_| ()).confirm(&[target], None, &ProcessLimits::default()), Ok(false));
    }
}
