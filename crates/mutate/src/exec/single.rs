//! One process for each mutant: a seed on standard input, the mutant on standard output.
//!
//! The program finds the seed of its random choices in the environment variable `SQUALL_SEED`, a number that is different for
//! each mutant and the same when the mutant is made again.

use super::batch::{ProgramBatch, ProgramFailures, ProgramUnit};
use super::program::{Exec, ExecFailure, read_mutant, shell};
use crate::rng::Unit;
use smtlib::Store;
use solver::frames::telling_line;
use solver::process::{self, MemoryGuard, ProcessJob, RunStatus};

/// The mutants that a program makes of one seed.
pub struct ExecBatch<'s> {
    unit: ProgramUnit<'s>,
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
