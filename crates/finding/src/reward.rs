//! What a hit that looks like a new cause is worth to a campaign.

use crate::kind::FindingKind;
use std::sync::Arc;

/// A whole cause, in the unit of rewards.
pub const CAUSE: u64 = 1000;

/// After so many causes of the same class, solver and mode another one is worth half as much: it is likely one of their bugs.
const ALIKE_HALF: u64 = 8;

/// Says what a campaign gained by a hit that looks like a new cause. The schedule learns from it. A campaign with one
/// worker is a function of its seed and the solvers' answers only if this is one of its arguments.
pub trait CauseReward: Send + Sync {
    /// The worth of a hit, at most [`CAUSE`]; `alike` is how many groups of its class, solver and mode were known before.
    fn worth(&self, kind: &FindingKind, alike: u64) -> u64;

    /// Whether a hit of this kind is worth its confirmation, though none from its seed is known.
    fn is_wanted(&self, kind: &FindingKind) -> bool {
        let _ = kind;
        true
    }

    /// What shows the known causes of a solver: of each the operators of its reduced script, by their standard names. Mutants mostly do
    /// without one of them, so that another cause gets its chance.
    fn triggers(&self, solver: &str) -> Vec<Arc<[Box<str>]>> {
        let _ = solver;
        Vec::new()
    }

    /// The options and settings that known causes of a solver need, a list each. Units mostly do without one of them.
    fn avoided_settings(&self, solver: &str) -> Vec<Arc<[String]>> {
        let _ = solver;
        Vec::new()
    }

    /// Whether as many hits are reduced as come. If not, no new units are begun for now.
    fn keeps_pace(&self) -> bool {
        true
    }
}

/// The more causes alike are known, the less another one is worth: where nothing is reduced.
#[derive(Clone, Copy, Debug, Default)]
pub struct RewardByAlike;

impl CauseReward for RewardByAlike {
    fn worth(&self, _kind: &FindingKind, alike: u64) -> u64 {
        CAUSE * ALIKE_HALF / ALIKE_HALF.saturating_add(alike)
    }
}
