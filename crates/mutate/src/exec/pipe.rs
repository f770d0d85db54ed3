//! One process for many mutants: seeds and random numbers go to its standard input in frames, a mutant comes back for each.
//!
//! A frame is a line `WORD LENGTH` followed by that many bytes. `seed` has a script and no answer; `make` has a random number
//! and is answered by `mutant` with a script from the last seed, or by `none` with a reason.
//!
//! A process that ends, takes too long or writes something else makes no mutant: the failure is counted and named, and the next
//! mutant gets a new process. So a process's state is never trusted beyond a failure.

use super::batch::{ProgramBatch, ProgramFailures, ProgramUnit};
use super::program::{Exec, ExecFailure, TOO_MUCH_MEMORY, read_mutant, seed_script, shell};
use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, Unfit};
use smtlib::Store;
use solver::frames::{Frame, FrameFailure, FrameProcess};
use std::sync::{Arc, Mutex, PoisonError};

/// Mutants of a unit: starting it costs a seed's frame, so that a unit may be as large as those of the built-in mutators.
const MUTANTS: u32 = 300;

/// Returns the default settings.
pub(super) fn defaults() -> Exec {
    Exec { mutants: MUTANTS, ..Exec::default() }
}

/// A long-running program as a mutator.
#[derive(Debug)]
pub struct Pipe {
    exec: Exec,
    idle: IdlePrograms,
}

/// Idle processes between units: as many as there were concurrent units.
type IdlePrograms = Arc<Mutex<Vec<FrameProcess>>>;

/// The mutants that a long-running program makes from one seed.
pub struct PipeBatch<'s> {
    unit: ProgramUnit<'s>,
    idle: IdlePrograms,
    /// The process that has the seed.
    running: Option<FrameProcess>,
    starts: u64,
}

impl Pipe {
    /// Makes a mutator by a program with these settings.
    pub fn new(exec: Exec) -> Pipe {
        Pipe { exec, idle: IdlePrograms::default() }
    }

    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit::Parents`] if there is not exactly one seed.
    pub fn batch<'s>(&self, store: &'s Store, request: MutantRequest<'s>) -> Result<PipeBatch<'s>, Unfit> {
        let unit = ProgramUnit::new(self.exec.clone(), store, seed_script(store, &request)?, request.unit);
        Ok(PipeBatch { unit, idle: Arc::clone(&self.idle), running: None, starts: 0 })
    }
}

impl Mutator for Pipe {
    fn entry(&self) -> &'static MutatorEntry {
        &super::PIPE
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}

impl PipeBatch<'_> {
    /// How many processes were started for this batch.
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// Returns a process that has no seed of this batch yet.
    fn process(&mut self) -> Result<FrameProcess, ExecFailure> {
        // The list of processes stays intact whatever happened to a thread that held it.
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(idle) = idle {
            return Ok(idle);
        }
        self.starts += 1;
        let started = FrameProcess::start(&shell(&self.unit.exec.command), &self.unit.exec.limits());
        started.map_err(|error| ExecFailure::Start(error.to_string()))
    }

    fn in_words(&self, failure: FrameFailure) -> ExecFailure {
        let ended = |how: String| ExecFailure::Ended { how, stderr: String::new() };
        match failure {
            FrameFailure::Ended { status, stderr } => {
                let how =
                    status.map_or_else(|| "closed its output".to_string(), |status| self.unit.exec.ending(status));
                ExecFailure::Ended { how: format!("{how} where a mutant was expected"), stderr }
            }
            FrameFailure::Late => ended(self.unit.exec.late("answer")),
            FrameFailure::Memory => ended(TOO_MUCH_MEMORY.to_string()),
            FrameFailure::Flood => ended(self.unit.exec.flooded()),
            FrameFailure::NoFrame(text) => ExecFailure::OutOfStep(format!(
                "wrote '{text}' where a frame `mutant LENGTH` was expected; one that prints a script is for exec:COMMAND"
            )),
            FrameFailure::Surplus(text) => ExecFailure::OutOfStep(format!("wrote '{text}' behind a mutant, unasked")),
        }
    }
}

impl ProgramBatch for PipeBatch<'_> {
    fn of_unit(&self) -> &ProgramUnit<'_> {
        &self.unit
    }

    fn of_failures(&mut self) -> &mut ProgramFailures {
        &mut self.unit.failures
    }

    fn ask(&mut self, index: u64) -> Result<(String, usize), ExecFailure> {
        let make = Frame::new("make", self.unit.unit.mutant_stream(index).bits().to_string());
        let (process, frames) = match self.running.take() {
            Some(process) => (process, vec![make]),
            None => (self.process()?, vec![Frame::new("seed", self.unit.seed.as_str()), make]),
        };
        let (process, answer) = process.ask(&frames).map_err(|failure| self.in_words(failure))?;
        match answer.word.as_str() {
            "mutant" => {
                self.running = Some(process);
                read_mutant(answer.body)
            }
            "none" => {
                self.running = Some(process);
                Err(ExecFailure::Declined(String::from_utf8_lossy(&answer.body).trim().to_string()))
            }
            other => {
                Err(ExecFailure::OutOfStep(format!("answers with a frame '{other}' instead of 'mutant' or 'none'")))
            }
        }
    }
}

impl Drop for PipeBatch<'_> {
    fn drop(&mut self) {
        let running = self.running.take();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(running);
    }
}
