//! The CPU time of solvers that one thread used for a purpose.

use std::cell::Cell;
use std::time::Duration;

/// A sum of CPU times.
#[derive(Default, Debug)]
pub struct CpuMeter(Cell<Duration>);

impl CpuMeter {
    /// Adds the CPU time of a run.
    pub fn add(&self, cpu: Duration) {
        self.0.set(self.0.get().saturating_add(cpu));
    }

    /// The sum, which starts again from nothing.
    pub fn take(&self) -> Duration {
        self.0.take()
    }
}
