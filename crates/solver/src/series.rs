//! Many small scripts asked of one process, each answer before the next script: `(reset)` stands between them.
//!
//! A batch ([`crate::batch`]) is asked all at once; here what is asked next may depend on what was said.

use crate::dialogue::{Dialogue, Silence};
use crate::process::{CancelToken, ProcessLimits, RunError};
use crate::session::{SessionNeeds, Solver};
use std::time::Instant;

/// A solver that is asked one script after the other.
///
/// Invariant: a script is asked in a process in which all went well before; what was cut short ends its process.
#[derive(Debug)]
pub struct ScriptSeries {
    solver: Solver,
    purpose: SessionNeeds,
    limits: ProcessLimits,
    running: Option<Dialogue>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    /// The solver cannot be run, or not like this.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It fell silent.
    #[error(transparent)]
    Silent(#[from] Silence),
}

impl ScriptSeries {
    /// A series of scripts, none of which may take longer than the wall-clock limit.
    pub fn new(solver: Solver, purpose: SessionNeeds, limits: ProcessLimits) -> ScriptSeries {
        ScriptSeries { solver, purpose, limits, running: None }
    }

    /// What the solver prints to a script, in its first state. After an error the next script begins a new process.
    ///
    /// # Errors
    /// [`NoAnswer`]; [`Silence::Time`] when the limit is met.
    pub fn script(&mut self, text: &str) -> Result<String, NoAnswer> {
        if self.running.is_none() {
            self.running = Some(Dialogue::start(&self.solver, self.purpose, &self.limits)?);
        } else {
            self.more("(reset)")?;
        }
        self.more(text)
    }

    /// What the solver prints to commands that go on with the script before.
    ///
    /// # Errors
    /// As [`ScriptSeries::script`]; [`Silence::Ended`] if there is no script before.
    pub fn more(&mut self, text: &str) -> Result<String, NoAnswer> {
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
