//! The share of a campaign's CPU time that goes into what is asked beside its mutants: relations between answers, and proofs.
//!
//! Invariant: a run begins only where what it is expected to take, what others under way are, and what was used are together no more than
//! [`PERCENT`] of the solvers' CPU time so far. What a run takes beyond that keeps later ones waiting. All workers of a process have one share.

use crate::counts::stats::nanoseconds;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How much of the solvers' CPU time may go into extra questions, in percent.
const PERCENT: u64 = 20;

/// The CPU time of solvers in one process, and how much of it went into extra questions. Times are in nanoseconds.
#[derive(Debug, Default)]
pub(crate) struct ExtraShare {
    /// All runs, the extra ones included.
    all: AtomicU64,
    /// Extra runs, and what is expected of those under way.
    extra: AtomicU64,
}

/// Leave for extra runs. What is not used is given back when it is dropped.
#[derive(Debug)]
pub(crate) struct ExtraGrant<'s> {
    share: &'s ExtraShare,
    granted: u64,
    used: u64,
}

impl ExtraShare {
    /// Solvers used CPU time, for whatever it was.
    pub(crate) fn spent(&self, cpu: Duration) {
        self.all.fetch_add(nanoseconds(cpu), Ordering::Relaxed);
    }

    /// Leave for extra runs that are expected to take so much CPU time; none where the share is used up.
    pub(crate) fn take(&self, wanted: Duration) -> Option<ExtraGrant<'_>> {
        let granted = nanoseconds(wanted);
        let most = self.all.load(Ordering::Relaxed) / 100 * PERCENT;
        let before = self.extra.fetch_add(granted, Ordering::Relaxed);
        let grant = ExtraGrant { share: self, granted, used: 0 };
        (before.saturating_add(granted) <= most).then_some(grant)
    }
}

impl ExtraGrant<'_> {
    /// An extra run used CPU time, of which [`ExtraShare::spent`] is told as of all runs.
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
mod tests {
    use super::ExtraShare;
    use std::time::Duration;

    #[test]
    fn a_fifth_is_granted_and_what_is_unused_comes_back() {
        let (share, second) = (ExtraShare::default(), Duration::from_secs(1));
        assert!(share.take(second).is_none(), "nothing was spent");
        share.spent(10 * second);
        let mut grant = share.take(2 * second).expect("a fifth");
        assert!(share.take(second / 10).is_none(), "all is granted");
        grant.used(second);
        share.spent(second);
        drop(grant);
        assert!(share.take(second).is_some(), "half of it came back");
        assert!(share.take(2 * second).is_none(), "1 s of 11 s is used");
    }
}
