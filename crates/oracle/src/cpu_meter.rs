//! CPU time: that of this process, and that of solvers which one thread used for a purpose.

use rustix::time::{ClockId, clock_gettime};
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

/// The CPU time (user and system) of this process so far, its children not included.
pub fn own_cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
