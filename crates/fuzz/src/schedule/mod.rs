//! Schedules: which seed, solver, mutator and mode a unit is about.

pub mod pairs;

use crate::plan::Plan;
use crate::unit::UnitPlan;
use pairs::Pairs;

/// How units are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// Pass after pass over all pairs of seed and solver.
    #[default]
    Uniform,
}

/// A schedule at work.
pub(crate) enum Schedule {
    /// All alike.
    Uniform(Plan),
}

impl Schedule {
    /// The plan of a unit; none if the schedule has no use for this number.
    ///
    /// Invariant: it depends on the campaign's seed, the number, and what earlier units brought, never on the clock.
    pub(crate) fn plan(&mut self, number: u64, pairs: &Pairs) -> Option<UnitPlan> {
        match self {
            Schedule::Uniform(plan) => {
                let slot = plan.slot(number);
                (!pairs.get(slot.seed, slot.target).is_given_up()).then(|| UnitPlan::of(slot))
            }
        }
    }
}
