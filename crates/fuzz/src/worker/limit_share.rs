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
mod tests {
    use super::{FACTOR, LEAST, LimitShare, RunCost, ScriptKind};
    use solver::process::ProcessLimits;
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);

    fn kind(theme: &str) -> ScriptKind {
        ("z3".to_string(), theme.to_string())
    }

    #[test]
    fn limits_are_short_only_while_they_cost_too_much() {
        let (share, given) =
            (LimitShare::default(), ProcessLimits { script_cpu: Some(5 * SECOND), ..Default::default() });
        let most = |theme: &str| share.limits(&kind(theme), Duration::ZERO, &given).script_cpu;
        assert_eq!(most("fp"), Some(5 * SECOND), "nothing was spent");
        share.ran(&kind("fp"), RunCost { all: 2 * SECOND, cut: Duration::ZERO, answered: 100 });
        share.ran(&kind("ints"), RunCost { all: 5 * SECOND, cut: 5 * SECOND, answered: 0 });
        assert_eq!(most("fp"), Some(FACTOR * (SECOND / 50)), "what is usual");
        assert_eq!(most("ints"), Some(LEAST), "none was answered");
        share.ran(&kind("fp"), RunCost { all: 20 * SECOND, cut: Duration::ZERO, answered: 1000 });
        assert_eq!(most("ints"), Some(5 * SECOND), "5 s of 27 s");
    }

    #[test]
    fn a_shorter_limit_that_was_given_stays() {
        let (share, given) =
            (LimitShare::default(), ProcessLimits { script_cpu: Some(LEAST / 4), ..Default::default() });
        share.ran(&kind("fp"), RunCost { all: SECOND, cut: SECOND, answered: 0 });
        assert_eq!(share.limits(&kind("fp"), Duration::ZERO, &given), given);
    }

    #[test]
    fn hard_scripts_alone_take_a_quarter_at_most_once_easy_ones_are_there() {
        // One script of 64 is never answered, and takes what it may; the others take 20 ms.
        let (share, given) =
            (LimitShare::default(), ProcessLimits { script_cpu: Some(5 * SECOND), ..Default::default() });
        let (mut all, mut cut) = (Duration::ZERO, Duration::ZERO);
        for n in 0..2000 {
            let hard = n % 64 == 0;
            let most = share.limits(&kind("fp"), Duration::ZERO, &given).script_cpu.unwrap_or_default();
            let cost = match hard {
                true => RunCost { all: most, cut: most, answered: 0 },
                false => RunCost { all: SECOND / 50, cut: Duration::ZERO, answered: 1 },
            };
            share.ran(&kind("fp"), cost);
            (all, cut) = (all + cost.all, cut + cost.cut);
        }
        assert!(cut * 4 <= all + 4 * 5 * SECOND, "{cut:?} of {all:?}");
    }
}
