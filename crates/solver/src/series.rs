//! Many small scripts in one process, separated by `(reset)`, each answered before the next script.
//!
//! A batch ([`crate::batch`]) is sent at once; here the next script may depend on the answer.

use crate::dialogue::{Dialogue, Silence};
use crate::process::{CancelToken, ProcessLimits, RunError};
use crate::session::{SessionNeeds, Solver};
use std::time::Instant;

/// A solver that answers one script after another.
///
/// Invariant: a script is sent only to a process without earlier problems; an interrupted script ends its process.
#[derive(Debug)]
pub struct ScriptSeries {
    solver: Solver,
    purpose: SessionNeeds,
    limits: ProcessLimits,
    running: Option<Dialogue>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum RunFailure {
    /// The solver cannot be run, or not interactively.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The solver stopped answering.
    #[error(transparent)]
    Silent(#[from] Silence),
}

impl ScriptSeries {
    /// Makes a series of scripts, each with the wall-clock limit.
    pub fn new(solver: Solver, purpose: SessionNeeds, limits: ProcessLimits) -> ScriptSeries {
        ScriptSeries { solver, purpose, limits, running: None }
    }

    /// Returns the solver's output for a script in its initial state. After an error the next script starts a new process.
    /// Errors: [`RunFailure`]; [`Silence::Time`] when the limit is reached.
    pub fn script(&mut self, text: &str) -> Result<String, RunFailure> {
        if self.running.is_none() {
            self.running = Some(Dialogue::start(&self.solver, self.purpose, &self.limits)?);
        } else {
            self.more("(reset)")?;
        }
        self.more(text)
    }

    /// Returns the solver's output for commands that continue the previous script.
    /// Errors: as [`ScriptSeries::script`]; [`Silence::Ended`] if there is no previous script.
    pub fn more(&mut self, text: &str) -> Result<String, RunFailure> {
        let dialogue = self.running.as_mut().ok_or(Silence::Ended)?;
        let deadline = Instant::now().checked_add(self.limits.wall);
        match dialogue.ask(text, &CancelToken::new(), deadline) {
            Ok(said) => Ok(said),
            Err(silence) => {
                self.running = None;
                Err(silence.into())
            }
        }
    }
}
