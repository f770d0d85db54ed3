//! The budget of one piece of work: a clock, a cancel flag, and the memory of its results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Why work was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Exhausted {
    /// The time is up, or the result is no longer wanted.
    #[error("interrupted")]
    Stopped,
    /// The results would take more memory than allowed.
    #[error("more than {limit} bytes of results")]
    Memory {
        /// The allowed bytes.
        limit: usize,
    },
}

/// When to stop.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    /// The moment the time is up.
    pub deadline: Option<Instant>,
    /// Set by others when the result is no longer wanted.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// Whether the time is up or the work is cancelled.
    pub fn is_over(&self) -> bool {
        let cancelled = self.cancelled.as_ref().is_some_and(|c| c.load(Ordering::Relaxed));
        cancelled || self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// Fails once the time is up or the work is cancelled.
    /// Errors: [`Exhausted::Stopped`] if so.
    pub fn check(&self) -> Result<(), Exhausted> {
        if self.is_over() { Err(Exhausted::Stopped) } else { Ok(()) }
    }
}

/// The clock is read every this many ticks; a tick is at most some microseconds of work.
const TICKS: u32 = 64;

/// Counts the cost of a piece of work. Everything that loops over input, or makes results larger than its input, has
/// one.
#[derive(Clone, Debug)]
pub struct Meter {
    stop: Stop,
    ticks: u32,
    left: usize,
    limit: usize,
}

impl Meter {
    /// Makes a meter with a clock and a limit in bytes.
    pub fn new(stop: Stop, memory: usize) -> Meter {
        Meter { stop, ticks: 0, left: memory, limit: memory }
    }

    /// To be called in every loop; one call in 64 reads the clock.
    /// Errors: [`Exhausted::Stopped`] once the time is up or the work is cancelled.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Exhausted> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(TICKS) { self.stop.check() } else { Ok(()) }
    }

    /// Charges memory and time for a result: large ones read the clock.
    /// Errors: [`Exhausted::Memory`] if less is left; then nothing is charged. [`Exhausted::Stopped`].
    pub fn take(&mut self, bytes: usize) -> Result<(), Exhausted> {
        self.left = self.left.checked_sub(bytes).ok_or(Exhausted::Memory { limit: self.limit })?;
        if bytes >= 1 << 12 { self.stop.check() } else { self.tick() }
    }

    /// Returns the remaining bytes.
    pub fn left(&self) -> usize {
        self.left
    }
}
