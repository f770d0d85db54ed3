//! Schedules: choose the seed, solver, mutator and mode of a unit.

pub mod bandit;
pub mod completed;
pub mod families;
pub mod pairs;
pub mod plan;
pub mod unit;

use crate::schedule::plan::UniformPlan;
use crate::schedule::unit::{UnitPlan, UnitReport};
use crate::under_test::Target;
use bandit::{Arm, ArmName, Bandit, Reward};
use corpus::seed::SeedSource;
use families::Families;
use pairs::Pairs;

/// How units are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SchedulePolicy {
    /// A bandit on the results of past units.
    #[default]
    Yield,
    /// Round-robin over all seeds.
    Uniform,
}

/// The state of a schedule.
pub(crate) enum Schedule {
    /// Uniform.
    Uniform(UniformPlan),
    /// By yield.
    Yield(Bandit),
}

impl Schedule {
    /// Makes a schedule without knowledge.
    pub(crate) fn new(kind: SchedulePolicy, campaign: u64, seeds: &[SeedSource], targets: &[Target]) -> Schedule {
        match kind {
            SchedulePolicy::Uniform => Schedule::Uniform(UniformPlan::new(campaign, seeds.len(), targets.len())),
            SchedulePolicy::Yield => {
                let spaces = targets.iter().map(Target::space).collect();
                // Counted from the top, so that no unit's own stream is used.
                let families = Families::of(seeds, &mut mutate::unit_rng(campaign, u64::MAX));
                Schedule::Yield(Bandit::new(campaign, families, spaces))
            }
        }
    }

    /// Restores what was learned before.
    pub(crate) fn restore(&mut self, arms: impl IntoIterator<Item = (ArmName, Arm)>) {
        if let Schedule::Yield(bandit) = self {
            bandit.restore(arms);
        }
    }

    /// Learns from a unit, and returns the arms that changed.
    pub(crate) fn learn(&mut self, report: &UnitReport, pairs: &mut Pairs, reward: &Reward) -> Vec<(ArmName, Arm)> {
        match self {
            Schedule::Uniform(_) => Vec::new(),
            Schedule::Yield(bandit) => bandit.learn(report, pairs, reward),
        }
    }

    /// Returns the plan of a unit; `None` if the schedule skips this number.
    ///
    /// Invariant: it depends on the campaign's seed, the number, and the results of earlier units, never on the clock.
    pub(crate) fn plan(&mut self, number: u64, pairs: &Pairs) -> Option<UnitPlan> {
        match self {
            Schedule::Uniform(plan) => {
                let slot = plan.slot(number);
                (!pairs.get(slot.seed, slot.target).is_given_up()).then(|| UnitPlan::of(slot))
            }
            Schedule::Yield(bandit) => bandit.plan(number, pairs),
        }
    }
}
