//! The share of a campaign's CPU time used by runs that reach a limit.
//!
//! While they exceed [`PERCENT`] of it, a script may use only [`FACTOR`] times the time of answered scripts of its kind. So a campaign
//! whose scripts are answered keeps its full limits, and one that mostly runs into them waits only shortly.

use crate::counts::stats::nanoseconds;
use crate::sync::lock;
use rustc_hash::FxHashMap;
use solver::outcome::SolverOutcome;
use solver::process::ProcessLimits;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The maximum share of the solvers' CPU time for runs that reach a limit, in percent.
const PERCENT: u64 = 25;
/// The factor of the usual time of its kind that a script may use while that is exceeded.
const FACTOR: u32 = 16;
/// The minimum time of a script, besides the solver's start; also if none of its kind was answered.
const LEAST: Duration = Duration::from_millis(100);

/// The CPU time of solvers in one process, the part that reached limits, and the usual times, in nanoseconds.
#[derive(Debug, Default)]
pub(crate) struct LimitShare {
    all: AtomicU64,
    cut: AtomicU64,
    usual: Mutex<FxHashMap<ScriptKind, Duration>>,
}

/// Scripts that take about the same time: the solver's label, and the subject.
pub(crate) type ScriptKind = (String, String);

/// The cost of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunCost {
    /// The total.
    pub(crate) all: Duration,
    /// The cost of the script that reached a limit; zero without one.
    pub(crate) cut: Duration,
    /// The number of scripts answered.
    pub(crate) answered: u32,
}

impl RunCost {
    /// Returns the cost of a run with one script.
    pub(crate) fn of(outcome: &SolverOutcome) -> RunCost {
        let is_cut = outcome.status.is_limit();
        let cut = if is_cut { outcome.cpu } else { Duration::ZERO };
        RunCost { all: outcome.cpu, cut, answered: u32::from(!is_cut) }
    }
}

impl LimitShare {
    /// Records a run of scripts of this kind.
    pub(crate) fn ran(&self, kind: &ScriptKind, cost: RunCost) {
        self.all.fetch_add(nanoseconds(cost.all), Ordering::Relaxed);
        self.cut.fetch_add(nanoseconds(cost.cut), Ordering::Relaxed);
        if cost.answered == 0 {
            return;
        }
        let each = cost.all.saturating_sub(cost.cut) / cost.answered;
        let mut usual = lock(&self.usual);
        match usual.get_mut(kind) {
            Some(mean) => *mean = (*mean * 15 + each) / 16,
            None => {
                usual.insert(kind.clone(), each);
            }
        }
    }

    /// Returns the current limits of a script of this kind. `start` is the solver's start time.
    pub(crate) fn limits(&self, kind: &ScriptKind, start: Duration, given: &ProcessLimits) -> ProcessLimits {
        let (all, cut) = (self.all.load(Ordering::Relaxed), self.cut.load(Ordering::Relaxed));
        if cut <= all / 100 * PERCENT {
            return given.clone();
        }
        let usual = lock(&self.usual).get(kind).copied().unwrap_or_default();
        let most = start + LEAST.max(FACTOR * usual);
        ProcessLimits { script_cpu: Some(given.script_cpu.map_or(most, |given| given.min(most))), ..given.clone() }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/limit_share.rs"]
mod tests;
