//! The batch of a program: what it asks of the program differs, what becomes of the answers does not.

use super::program::{Exec, ExecFailure};
use crate::mutator::{Batch, Mutant};
use crate::rng::Unit;
use semantics::Model;
use smtlib::{Status, Store};
use std::sync::Arc;

/// The unit of a program: what it is asked with, and how often it made no mutant.
pub struct ProgramUnit<'s> {
    pub(super) exec: Exec,
    pub(super) store: &'s Store,
    /// The seed as a script.
    pub(super) seed: String,
    pub(super) unit: Unit,
    pub(super) failures: ProgramFailures,
}

/// How often a program made no mutant, and why the last time.
#[derive(Default)]
pub struct ProgramFailures {
    count: u64,
    last: Option<ExecFailure>,
}

impl<'s> ProgramUnit<'s> {
    pub(super) fn new(exec: Exec, store: &'s Store, seed: String, unit: Unit) -> ProgramUnit<'s> {
        ProgramUnit { exec, store, seed, unit, failures: ProgramFailures::default() }
    }
}

/// A batch whose mutants a program makes.
pub trait ProgramBatch {
    /// Its unit.
    fn of_unit(&self) -> &ProgramUnit<'_>;

    /// Its unit's failures, to add one.
    fn of_failures(&mut self) -> &mut ProgramFailures;

    /// Asks the program for a mutant: its script, and how many checks it has.
    ///
    /// # Errors
    /// The program makes none; the next may be made all the same.
    fn ask(&mut self, index: u64) -> Result<(String, usize), ExecFailure>;

    /// How often the program made no mutant, and why the last time. Such a mutant has no text and no check.
    fn failures(&self) -> (u64, Option<&ExecFailure>) {
        let failures = &self.of_unit().failures;
        (failures.count, failures.last.as_ref())
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
        unit.exec.told(unit.unit, index)
    }
}
