//! The limit of an explanation: CPU time of the solvers and of this process, or an interruption.

use oracle::cpu_meter::own_cpu;
use solver::process::CancelToken;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A limit on CPU time, shared by any number of findings.
#[derive(Debug)]
pub struct ExplainBound {
    limit: Option<Duration>,
    cancel: CancelToken,
    own_before: Duration,
    solvers_ns: AtomicU64,
}

impl ExplainBound {
    /// Starts a limit; without a CPU limit only `cancel` ends it.
    pub fn new(limit: Option<Duration>, cancel: CancelToken) -> ExplainBound {
        ExplainBound { limit, cancel, own_before: own_cpu(), solvers_ns: AtomicU64::new(0) }
    }

    /// Returns the token that stops a solver's run.
    pub fn cancel(&self) -> &CancelToken {
        &self.cancel
    }

    /// Adds the CPU time of a solver's run.
    pub fn add(&self, cpu: Duration) {
        self.solvers_ns.fetch_add(u64::try_from(cpu.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Returns the remaining CPU time; `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        let used = own_cpu().saturating_sub(self.own_before);
        let used = used + Duration::from_nanos(self.solvers_ns.load(Ordering::Relaxed));
        self.limit.map(|limit| limit.saturating_sub(used))
    }

    /// Whether the limit is reached.
    pub fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.left().is_some_and(|left| left.is_zero())
    }
}
