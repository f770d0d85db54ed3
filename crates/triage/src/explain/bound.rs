//! How long an explanation may take: CPU time of the solvers and of this process, or until it is interrupted.

use oracle::candidate::own_cpu;
use solver::process::CancelToken;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A bound on CPU time, over any number of findings.
#[derive(Debug)]
pub struct ExplainBound {
    limit: Option<Duration>,
    cancel: CancelToken,
    own_before: Duration,
    solvers_ns: AtomicU64,
}

impl ExplainBound {
    /// A bound that begins now; without a limit it only ends where `cancel` says so.
    pub fn new(limit: Option<Duration>, cancel: CancelToken) -> ExplainBound {
        ExplainBound { limit, cancel, own_before: own_cpu(), solvers_ns: AtomicU64::new(0) }
    }

    /// What stops a run of a solver.
    pub fn cancel(&self) -> &CancelToken {
        &self.cancel
    }

    /// Adds what a run of a solver took.
    pub fn add(&self, cpu: Duration) {
        self.solvers_ns.fetch_add(u64::try_from(cpu.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// The CPU time that is left; none where there is no limit.
    pub fn left(&self) -> Option<Duration> {
        let used = own_cpu().saturating_sub(self.own_before);
        let used = used + Duration::from_nanos(self.solvers_ns.load(Ordering::Relaxed));
        self.limit.map(|limit| limit.saturating_sub(used))
    }

    /// Whether nothing more may be asked.
    pub fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.left().is_some_and(|left| left.is_zero())
    }
}
