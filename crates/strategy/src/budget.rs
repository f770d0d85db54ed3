//! The budget of a run: a deadline, a stop flag, and bounds on the size of goals.

use crate::claim_log::ClaimLog;
use crate::shared_lemmas::SharedLemmas;
use rewrite::{PassLimits, PassSettings, Stop};
use search::StartingPoints;
use semantics::Meter;
use solver::process::CancelToken;
use std::time::{Duration, Instant};

/// Why a run was stopped before it had a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stopped {
    /// The deadline has passed.
    #[error("the time is up")]
    Time,
    /// Another branch answered first, or the user stopped the run.
    #[error("cancelled")]
    Cancelled,
}

/// The minimum time for checking a model.
const CHECKING: Duration = Duration::from_millis(100);

/// The budget of a run. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The deadline, if any.
    pub deadline: Option<Instant>,
    /// Stops the run earlier.
    pub cancel: CancelToken,
    /// The maximum size of goals. A step that exceeds it fails; the program continues.
    pub limits: PassLimits,
    /// Models of weaker goals, as starting points of searches. All clones share them, including detached ones: the branches of a strategy
    /// use each other's models.
    pub starts: StartingPoints,
    /// Lemmas that engines exchange while they work on similar goals.
    pub lemmas: Option<SharedLemmas>,
    /// Receives the clauses that an engine finds, if they are wanted.
    pub claims: Option<ClaimLog>,
    /// Whether branches that could run in parallel run one after the other, in the order in which they are written.
    pub in_order: bool,
}

impl Budget {
    /// Makes a budget that ends after `time`.
    pub fn of(time: Duration) -> Budget {
        Budget { deadline: Instant::now().checked_add(time), ..Budget::default() }
    }

    /// Fails when the time is up or the run is cancelled. Cheap: engines call it every few thousand steps, and at least every 10 ms or
    /// so, since the cancelled branches of a race must end within 100 ms.
    /// Errors: [`Stopped`], with the cause.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.cancel.is_cancelled() {
            return Err(Stopped::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::Time),
            _ => Ok(()),
        }
    }

    /// Returns the time left, if there is a deadline.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Returns the corresponding limit for passes.
    pub fn stop(&self) -> Stop {
        Stop { deadline: self.deadline, cancelled: Some(self.cancel.flag()) }
    }

    /// Returns the settings of a pass with this budget and no parameters.
    pub fn settings(&self) -> PassSettings {
        PassSettings { limits: self.limits, stop: self.stop(), ..PassSettings::default() }
    }

    /// Returns the limit for checking a model, with a guaranteed minimum: a model found in time is checked even if that takes a little
    /// more.
    pub fn checking(&self) -> Stop {
        let least = Instant::now() + CHECKING;
        Stop { deadline: self.deadline.map(|deadline| deadline.max(least)), ..self.stop() }
    }

    /// Returns a meter of time and of an engine's memory besides terms.
    pub fn meter(&self) -> Meter {
        Meter::new(self.stop(), self.limits.memory)
    }

    /// Returns the budget with its own flag: cancelling it stops only holders of the new one. A caller that splits a budget watches the
    /// old flag and cancels the new one with it.
    pub fn detached(&self) -> Budget {
        Budget { cancel: CancelToken::new(), ..self.clone() }
    }

    /// Returns the budget for one of several similar pieces of work.
    pub fn cooperating(&self) -> Budget {
        Budget { lemmas: Some(self.lemmas.clone().unwrap_or_default()), ..self.clone() }
    }

    /// Returns the budget with at most `time` from now on.
    pub fn within(&self, time: Duration) -> Budget {
        let end = Instant::now().checked_add(time);
        let deadline = match (self.deadline, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Budget { deadline, ..self.clone() }
    }
}
