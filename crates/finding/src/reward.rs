//! What a cause is worth to a campaign's schedule.

use crate::cause::Cause;

/// A whole cause, in the unit of rewards.
pub const CAUSE: u64 = 1000;

/// After so many causes of the same class, solver and mode another one is worth half as much: it is likely one of their bugs.
const ALIKE_HALF: u64 = 8;

/// Says what a campaign gained by a cause that it met for the first time. The schedule learns from it. A campaign with one
/// worker is a function of its seed and the solvers' answers only if this is one of its arguments.
pub trait CauseReward: Send + Sync {
    /// The worth of a cause, at most [`CAUSE`]; `alike` is how many causes of its class, solver and mode were known before.
    fn worth(&self, cause: &Cause, alike: u64) -> u64;
}

/// The more causes alike are known, the less another one is worth: the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct RewardByAlike;

impl CauseReward for RewardByAlike {
    fn worth(&self, _cause: &Cause, alike: u64) -> u64 {
        CAUSE * ALIKE_HALF / ALIKE_HALF.saturating_add(alike)
    }
}

#[cfg(test)]
mod tests {
    use super::{CauseReward, RewardByAlike};
    use crate::{BugClass, Cause, ScriptOrigin};

    #[test]
    fn another_cause_alike_is_worth_less() {
        let cause = Cause {
            class: BugClass::A,
            origin: ScriptOrigin::Mutant,
            solver: "z3".into(),
            symptom: "unsat".into(),
            mode: "plain".into(),
            options: String::new(),
            seed: "a.smt2".into(),
        };
        let check = |alike: u64, expect: u64| assert_eq!(RewardByAlike.worth(&cause, alike), expect, "after {alike}");
        check(0, 1000);
        check(1, 888);
        check(8, 500);
        check(u64::MAX, 0);
    }
}
