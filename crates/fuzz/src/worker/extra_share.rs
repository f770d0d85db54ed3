//! The share of a campaign's CPU time for extra questions besides its mutants: relations between answers, and proofs.
//!
//! Invariant: a run begins only if its expected cost, that of running ones, and the cost so far are together at most [`PERCENT`] of the
//! solvers' CPU time. Excess cost delays later runs. All workers of a process share one budget.

use crate::counts::stats::nanoseconds;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The maximum share of the solvers' CPU time for extra questions, in percent.
const PERCENT: u64 = 20;

/// The CPU time of solvers in one process, and the part used for extra questions, in nanoseconds.
#[derive(Debug, Default)]
pub(crate) struct ExtraShare {
    /// All runs, including extra ones.
    all: AtomicU64,
    /// Extra runs, and the expected cost of running ones.
    extra: AtomicU64,
}

/// A grant for extra runs. The unused part is returned on drop.
#[derive(Debug)]
pub(crate) struct ExtraGrant<'s> {
    share: &'s ExtraShare,
    granted: u64,
    used: u64,
}

impl ExtraShare {
    /// Adds CPU time of solvers, for any purpose.
    pub(crate) fn spent(&self, cpu: Duration) {
        self.all.fetch_add(nanoseconds(cpu), Ordering::Relaxed);
    }

    /// Grants extra runs with this expected CPU time; `None` if the share is used up.
    pub(crate) fn take(&self, wanted: Duration) -> Option<ExtraGrant<'_>> {
        let granted = nanoseconds(wanted);
        let most = self.all.load(Ordering::Relaxed) / 100 * PERCENT;
        let before = self.extra.fetch_add(granted, Ordering::Relaxed);
        let grant = ExtraGrant { share: self, granted, used: 0 };
        (before.saturating_add(granted) <= most).then_some(grant)
    }
}

impl ExtraGrant<'_> {
    /// Adds CPU time of an extra run, which [`ExtraShare::spent`] counts as well.
    pub(crate) fn used(&mut self, cpu: Duration) {
        self.used += nanoseconds(cpu);
    }
}

impl Drop for ExtraGrant<'_> {
    fn drop(&mut self) {
        self.share.extra.fetch_add(self.used, Ordering::Relaxed);
        self.share.extra.fetch_sub(self.granted, Ordering::Relaxed);
    }
}

#[cfg(test)]
#[path = "../../tests/unit/extra_share.rs"]
mod tests;
