//! The batch of a program, and the one that starts a process per mutant: a seed on standard input, the mutant on standard output.

use super::program::{Exec, ExecFailure, read_mutant, shell};
use crate::mutator::{Batch, Mutant};
use crate::rng::Unit;
use semantics::Model;
use smtlib::{Status, Store};
use solver::frames::telling_line;
use solver::process::{self, MemoryGuard, ProcessJob, RunStatus};
use std::sync::Arc;

/// The unit of a program: its input, and its failures.
pub struct ProgramUnit<'s> {
    pub(super) exec: Exec,
    pub(super) store: &'s Store,
    /// The seed as a script.
    pub(super) seed: String,
    pub(super) unit: Unit,
    pub(super) failures: ProgramFailures,
}

/// The number of failures of a program, and the last reason.
#[derive(Default)]
pub struct ProgramFailures {
    count: u64,
    last: Option<ExecFailure>,
}

/// A batch of mutants made by a program.
pub trait ProgramBatch {
    /// Returns its unit.
    fn of_unit(&self) -> &ProgramUnit<'_>;

    /// Returns its unit's failures, to record one.
    fn of_failures(&mut self) -> &mut ProgramFailures;

    /// Asks the program for a mutant: its script, and its number of checks.
    /// Errors: the program made none; the next one may still work.
    fn ask(&mut self, index: u64) -> Result<(String, usize), ExecFailure>;

    /// Returns the number of failures, and the last reason. A failed mutant has no text and no check.
    fn failures(&self) -> (u64, Option<&ExecFailure>) {
        let failures = &self.of_unit().failures;
        (failures.count, failures.last.as_ref())
    }
}

/// The mutants that a program makes from one seed, one process each. The environment variable `SQUALL_SEED` holds the seed of its
/// random choices, which is the same when a mutant is made again.
pub struct ExecBatch<'s> {
    unit: ProgramUnit<'s>,
}

impl<'s> ProgramUnit<'s> {
    pub(super) fn new(exec: Exec, store: &'s Store, seed: String, unit: Unit) -> ProgramUnit<'s> {
        ProgramUnit { exec, store, seed, unit, failures: ProgramFailures::default() }
    }
}

impl<T: ProgramBatch> Batch for T {
    fn size(&self) -> u64 {
        u64::from(self.of_unit().exec.mutants)
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        out.truth = None;
        match self.ask(index) {
            Ok((text, checks)) => {
                out.text = text;
                out.expected.resize(checks, Status::Unknown);
            }
            Err(failure) => {
                let failures = self.of_failures();
                failures.count += 1;
                failures.last = Some(failure);
            }
        }
    }

    fn store(&self) -> &Store {
        self.of_unit().store
    }

    fn failure(&self) -> Option<String> {
        self.of_unit().failures.last.as_ref().map(ToString::to_string)
    }

    fn witness(&mut self, _index: u64) -> Option<Arc<Model>> {
        None
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let unit = self.of_unit();
        unit.exec.record(unit.unit, index)
    }
}

impl<'s> ExecBatch<'s> {
    pub(super) fn new(exec: Exec, store: &'s Store, seed: String, unit: Unit) -> ExecBatch<'s> {
        ExecBatch { unit: ProgramUnit::new(exec, store, seed, unit) }
    }
}

impl ProgramBatch for ExecBatch<'_> {
    fn of_unit(&self) -> &ProgramUnit<'_> {
        &self.unit
    }

    fn of_failures(&mut self) -> &mut ProgramFailures {
        &mut self.unit.failures
    }

    fn ask(&mut self, index: u64) -> Result<(String, usize), ExecFailure> {
        let ProgramUnit { exec, seed: script, unit, .. } = &self.unit;
        let seed = unit.mutant_stream(index).bits();
        let command = shell(&format!("SQUALL_SEED={seed}; export SQUALL_SEED; {}", exec.command));
        let limits = exec.limits();
        let job = ProcessJob {
            memory_guard: MemoryGuard::WatchedRss,
            ..ProcessJob::new(&command, script.as_bytes(), &limits)
        };
        let run = process::run(&job).map_err(|e| ExecFailure::Start(e.to_string()))?;
        if run.status != RunStatus::Exited(0) {
            let stderr = telling_line(&run.stderr);
            return Err(ExecFailure::Ended { how: exec.ending(run.status), stderr });
        }
        read_mutant(run.stdout)
    }
}
