//! One process for each mutant: a seed on standard input, the mutant on standard output.
//!
//! The program finds the seed of its random choices in the environment variable `SQUALL_SEED`, a number that is different for
//! each mutant and the same when the mutant is made again.

use super::{Exec, ExecFailure, read_mutant, shell};
use crate::mutator::{Batch, Expected, Mutant, Truth};
use crate::rng::Unit;
use semantics::Model;
use smtlib::Store;
use solver::process::{self, MemoryGuard, ProcessJob, RunStatus};
use std::sync::Arc;

/// The mutants that a program makes of one seed.
pub struct ExecBatch<'s> {
    exec: Exec,
    store: &'s Store,
    seed: String,
    unit: Unit,
    failures: u64,
    last_failure: Option<ExecFailure>,
}

impl<'s> ExecBatch<'s> {
    pub(super) fn new(exec: Exec, store: &'s Store, seed: String, unit: Unit) -> ExecBatch<'s> {
        ExecBatch { exec, store, seed, unit, failures: 0, last_failure: None }
    }

    /// How often the program made no mutant, and why the last time. Such a mutant has no text and no check.
    pub fn failures(&self) -> (u64, Option<&ExecFailure>) {
        (self.failures, self.last_failure.as_ref())
    }

    fn run(&self, index: u64) -> Result<(String, usize), ExecFailure> {
        let seed = self.unit.mutant_stream(index).bits();
        let command = shell(&format!("SQUALL_SEED={seed}; export SQUALL_SEED; {}", self.exec.command));
        let limits = self.exec.limits();
        let job = ProcessJob {
            memory_guard: MemoryGuard::WatchedRss,
            ..ProcessJob::new(&command, self.seed.as_bytes(), &limits)
        };
        let run = process::run(&job).map_err(|e| ExecFailure::Start(e.to_string()))?;
        if run.status != RunStatus::Exited(0) {
            let stderr = String::from_utf8_lossy(&run.stderr).lines().next().unwrap_or("").to_string();
            return Err(ExecFailure::Ended { how: self.exec.ending(run.status), stderr });
        }
        read_mutant(run.stdout)
    }
}

impl Batch for ExecBatch<'_> {
    fn size(&self) -> u64 {
        u64::from(self.exec.mutants)
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        out.truth = Truth::Differential;
        match self.run(index) {
            Ok((text, checks)) => {
                out.text = text;
                out.expected.resize(checks, Expected::Differential);
            }
            Err(failure) => {
                self.failures += 1;
                self.last_failure = Some(failure);
            }
        }
    }

    fn store(&self) -> &Store {
        self.store
    }

    fn failure(&self) -> Option<String> {
        self.last_failure.as_ref().map(ToString::to_string)
    }

    fn witness(&mut self, _index: u64) -> Option<Arc<Model>> {
        None
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        self.exec.told(self.unit, index)
    }
}
