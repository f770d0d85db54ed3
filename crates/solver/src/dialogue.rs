//! An interactive solver: a process that stays alive, receives commands, and returns its output after completing them.

use crate::process::line::{Dead, PipedProcess};
use crate::process::{CancelToken, ProcessLimits, RunError};
use crate::profile::Profile;
use crate::response;
use crate::session::{SessionNeeds, Solver};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time limit for a solver to show that it can be used interactively.
const HANDSHAKE: Duration = Duration::from_secs(2);

/// A running solver. Dropping it kills its process group.
#[derive(Debug)]
pub struct Dialogue {
    line: PipedProcess,
    questions: u64,
    profile: Arc<Profile>,
}

/// Why a question has no answer. The dialogue is over then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Silence {
    /// The question was cancelled from outside.
    #[error("cancelled")]
    Cancelled,
    /// The time is up.
    #[error("the time is up")]
    Time,
    /// The solver ended.
    #[error("the solver ended")]
    Ended,
    /// The solver printed more than the limit.
    #[error("the solver printed too much")]
    Flood,
}

impl From<Dead> for Silence {
    fn from(dead: Dead) -> Silence {
        match dead {
            Dead::Cancelled => Silence::Cancelled,
            Dead::Late => Silence::Time,
            // A solver above its memory limit must be killed.
            Dead::Ended | Dead::Memory => Silence::Ended,
            Dead::Flood => Silence::Flood,
        }
    }
}

impl Dialogue {
    /// Starts a solver and checks that it answers within its wall-clock limit, and before it is cancelled.
    /// Errors: the solver cannot be started, or does not answer in time.
    pub fn start(solver: &Solver, purpose: SessionNeeds, limits: &ProcessLimits) -> Result<Dialogue, RunError> {
        let command = solver.command_line(purpose | SessionNeeds::INCREMENTAL, limits);
        let line = PipedProcess::start(&command, limits, solver.memory_guard(), solver.owner())?;
        let mut dialogue = Dialogue { line, questions: 0, profile: Arc::clone(&solver.installed().profile) };
        let deadline = Instant::now() + HANDSHAKE.min(limits.wall);
        match dialogue.ask("", &solver.cancel(), Some(deadline)) {
            Ok(_) => Ok(dialogue),
            Err(silence) => {
                let program = command.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
                let cause = format!("it cannot be used interactively: {silence}");
                Err(RunError::Spawn { program, cause })
            }
        }
    }

    /// Sends the commands that pass the gate, and returns all output until they are completed.
    /// Errors: [`Silence`]; nothing more can be asked then.
    pub fn ask(&mut self, text: &str, cancel: &CancelToken, deadline: Option<Instant>) -> Result<String, Silence> {
        let text = match self.profile.gate(text) {
            Ok(gated) => gated.text,
            Err(misleading) => return Ok(response::error(&misleading)),
        };
        self.questions += 1;
        let mark = format!("end-of-answer-{}", self.questions);
        let text = format!("{text}\n(echo \"{mark}\")\n");
        Ok(self.line.exchange(&text, &mark, cancel, deadline)?)
    }
}
