//! What a run may spend: a deadline, a flag that stops it, and bounds on how large a goal may grow.

use crate::claim_log::ClaimLog;
use crate::shared_lemmas::SharedLemmas;
use rewrite::{PassLimits, PassSettings, Stop};
use search::StartingPoints;
use semantics::Meter;
use solver::process::CancelToken;
use std::time::{Duration, Instant};

/// Why a run was stopped before it came to a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stopped {
    /// The deadline has passed.
    #[error("the time is up")]
    Time,
    /// Another branch answered first, or the user stopped the run.
    #[error("cancelled")]
    Cancelled,
}

/// The time that the check of a model has at least.
const CHECKING: Duration = Duration::from_millis(100);

/// What a run may spend. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When to stop, if ever.
    pub deadline: Option<Instant>,
    /// Stops it earlier.
    pub cancel: CancelToken,
    /// How large goals may grow. A step that leads beyond fails; the program goes on.
    pub limits: PassLimits,
    /// Models of weaker goals, for searches to begin at. Clones share them, detached ones too: what one branch of a strategy finds,
    /// others use.
    pub starts: StartingPoints,
    /// Lemmas that engines tell each other, where several work on goals that have much in common.
    pub lemmas: Option<SharedLemmas>,
    /// Where an engine puts the clauses that it finds, if they are wanted.
    pub claims: Option<ClaimLog>,
    /// Whether branches that could run at once run one after the other, in the order in which they are written.
    pub in_order: bool,
}

impl Budget {
    /// A budget of so much time from now on.
    pub fn of(time: Duration) -> Budget {
        Budget { deadline: Instant::now().checked_add(time), ..Budget::default() }
    }

    /// Fails when the time is up or the run is cancelled. Cheap: engines call it every few thousand steps, and at least
    /// every 10 ms or so, since the cancelled branches of a race have to be gone within 100 ms.
    ///
    /// # Errors
    /// [`Stopped`], with the cause.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.cancel.is_cancelled() {
            return Err(Stopped::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::Time),
            _ => Ok(()),
        }
    }

    /// The time left, if there is a deadline.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The same for passes.
    pub fn stop(&self) -> Stop {
        Stop { deadline: self.deadline, cancelled: Some(self.cancel.flag()) }
    }

    /// Settings of a pass with this budget and no parameters.
    pub fn settings(&self) -> PassSettings {
        PassSettings { limits: self.limits, stop: self.stop(), ..PassSettings::default() }
    }

    /// The same for passes, with some time left for sure: a model found in time is checked even if that takes a little more.
    pub fn checking(&self) -> Stop {
        let least = Instant::now() + CHECKING;
        Stop { deadline: self.deadline.map(|deadline| deadline.max(least)), ..self.stop() }
    }

    /// A meter of the time and of the memory that an engine may take besides terms.
    pub fn meter(&self) -> Meter {
        Meter::new(self.stop(), self.limits.memory)
    }

    /// The same with a flag of its own: cancelling it stops only those that hold the new one. A caller that splits a budget so
    /// watches the old flag and cancels the new one with it.
    pub fn detached(&self) -> Budget {
        Budget { cancel: CancelToken::new(), ..self.clone() }
    }

    /// The same for one of several pieces of work that have much in common.
    pub fn cooperating(&self) -> Budget {
        Budget { lemmas: Some(self.lemmas.clone().unwrap_or_default()), ..self.clone() }
    }

    /// The same with at most so much time from now on.
    pub fn within(&self, time: Duration) -> Budget {
        let end = Instant::now().checked_add(time);
        let deadline = match (self.deadline, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Budget { deadline, ..self.clone() }
    }
}
