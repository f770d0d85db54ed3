//! The worth of a hit that looks like a new cause.

use crate::kind::FindingKind;
use std::sync::Arc;

/// A whole cause, in the unit of rewards.
pub const CAUSE: u64 = 1000;

/// After this many causes of the same class, solver and mode another one is worth half as much: it is likely one of
/// their bugs.
const ALIKE_HALF: u64 = 8;

/// The worth of hits that look like new causes, from which the schedule learns. A campaign with one worker is
/// deterministic in its seed and the solvers' answers only if this depends on nothing else.
pub trait CauseReward: Send + Sync {
    /// The worth of a hit, at most [`CAUSE`]; `alike` is how many groups of its class, solver and mode were known before.
    fn worth(&self, kind: &FindingKind, alike: u64) -> u64;

    /// Whether a hit of this kind is worth confirming, though none from its seed is known.
    fn is_wanted(&self, kind: &FindingKind) -> bool {
        let _ = kind;
        true
    }

    /// The triggers of a solver's known causes: for each the operators of its reduced script, by their standard names. Most mutants
    /// avoid one of them, so that other causes can show.
    fn triggers(&self, solver: &str) -> Vec<Arc<[Box<str>]>> {
        let _ = solver;
        Vec::new()
    }

    /// The options and settings that a solver's known causes need, one list per cause. Most units avoid one of them.
    fn avoided_settings(&self, solver: &str) -> Vec<Arc<[String]>> {
        let _ = solver;
        Vec::new()
    }

    /// Whether reductions keep up with hits. If not, no new units are begun for now.
    fn keeps_pace(&self) -> bool {
        true
    }
}

/// The more similar causes are known, the less another one is worth: for campaigns without reductions.
#[derive(Clone, Copy, Debug, Default)]
pub struct RewardByAlike;

impl CauseReward for RewardByAlike {
    fn worth(&self, _kind: &FindingKind, alike: u64) -> u64 {
        CAUSE * ALIKE_HALF / ALIKE_HALF.saturating_add(alike)
    }
}
