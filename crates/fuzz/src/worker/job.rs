//! The context of a job: the unit, solver, seed and partner that its mutants come from.

use crate::schedule::plan::PlanSlot;
use crate::state::finding_index::GroupKey;
use crate::under_test::Target;
use corpus::seed::Seed;
use oracle::{Hit, slowness};
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use std::time::Duration;

/// The common data of all mutants of a unit.
#[derive(Clone)]
pub(crate) struct JobContext<'p> {
    pub(crate) slot: PlanSlot,
    /// The solver, with the options drawn for the unit.
    pub(crate) target: &'p Target,
    pub(crate) seed: &'p Seed,
    pub(crate) instance: usize,
    /// The logic that the seed sets for this check, whatever name the target knows it by; the campaign counts by it.
    pub(crate) logic: Option<&'p str>,
    /// The other parent, if there is one.
    pub(crate) partner: Option<Partner>,
    pub(crate) validate: bool,
    /// Whether the models of mutants are judged.
    pub(crate) models: bool,
    pub(crate) limits: ProcessLimits,
    /// The CPU time of a script's first run; further questions have the limit of `limits`.
    pub(crate) first_cpu: Option<Duration>,
    /// Whether a slow mutant is measured against other releases and modes.
    pub(crate) watches_time: bool,
}

/// A second parent, for the record.
#[derive(Clone, Debug)]
pub(crate) struct Partner {
    pub(crate) name: String,
    pub(crate) sha256: String,
    pub(crate) check: usize,
}

impl JobContext<'_> {
    /// Returns the limits of a script's first run; in a batch a slow one ends it, and is run again alone.
    pub(crate) fn first_limits(&self) -> ProcessLimits {
        let first = self.first_cpu.or(self.watches_time.then_some(slowness::FLOOR)).or(self.limits.script_cpu);
        ProcessLimits { script_cpu: first, ..self.limits.clone() }
    }

    /// Returns the features that a script with this number of checks requires.
    pub(crate) fn purpose(&self, checks: usize, text: &str) -> SessionNeeds {
        let validate = if self.validate { SessionNeeds::VALIDATE | SessionNeeds::MODELS } else { SessionNeeds::SINGLE };
        SessionNeeds::of_script(checks, text) | validate
    }

    /// Returns the mutator's parameters, with the second parent.
    pub(crate) fn parameters(&self, mut drawn: Vec<(&'static str, String)>) -> Vec<(&'static str, String)> {
        if let Some(Partner { name, sha256, check }) = &self.partner {
            drawn.extend([("partner", name.clone()), ("partner-sha256", sha256.clone())]);
            drawn.push(("partner-check", check.to_string()));
        }
        drawn
    }

    pub(crate) fn group(&self, hit: &Hit, mode: String, from_seed: bool) -> GroupKey {
        GroupKey {
            class: hit.class,
            target: self.slot.target,
            mode,
            seed: self.slot.seed,
            from_seed,
            options: self.target.tested.drawn.all().join(" "),
            symptom: hit.symptom.clone(),
            flaky: false,
        }
        .grouped()
    }
}
