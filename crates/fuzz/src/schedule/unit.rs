//! A unit of work as it is given out and as it comes back, whichever worker does it.

use crate::counts::answer_counts::CellRow;
use crate::counts::error_texts::ErrorTexts;
use crate::counts::stats::Snapshot;
use crate::findings::disagreements::SolverDisagreement;
use crate::schedule::plan::PlanSlot;
use crate::target::mode::Mode;
use mutate::Unit;
use serde::{Deserialize, Serialize};

/// What a unit is about, decided before it begins.
///
/// Invariant: with the campaign's seed and the lists of seeds and solvers this is all that its mutants depend on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitPlan {
    /// The unit's number in the campaign.
    pub number: u64,
    /// The position of the seed.
    pub seed: usize,
    /// The position of the solver.
    pub target: usize,
    /// How often the pair was visited before.
    pub visit: u64,
    /// What the schedule decided besides; none leaves it to the unit's own random stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<UnitChoice>,
}

/// What a schedule that learns decides for a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitChoice {
    /// The position among the solver's mutators of the one that is tried first.
    pub mutator: usize,
    /// The tactics drawn, by their places among those open; some of them several times.
    #[serde(default)]
    pub tactics: Vec<usize>,
    /// The theme drawn for problems made from nothing, by its place among those open.
    #[serde(default)]
    pub theme: Option<usize>,
    /// Settings over the mutator's own, as far as it has such parameters.
    #[serde(default)]
    pub settings: Vec<(String, String)>,
}

/// What came of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitReport {
    /// What it was about.
    pub plan: UnitPlan,
    /// Whether it came to its end; a unit that was cut short is done again.
    pub complete: bool,
    /// All that was counted.
    pub counts: Snapshot,
    /// Answers by solver, mutator and logic.
    pub cells: Vec<CellRow>,
    /// Whether the seed was sent as it is.
    pub seed_sent: bool,
    /// SHA-256 of the seed's bytes, in hexadecimal; empty if it could not be read.
    pub seed_sha256: String,
    /// The name of the mutator that made the mutants; none if none were made.
    pub mutator: Option<String>,
    /// How many mutants asked in which way.
    pub modes: Vec<(Mode, u64)>,
    /// What the solver said in place of answers.
    #[serde(default)]
    pub errors: ErrorTexts,
    /// Some of the contradictions between solvers that could not be resolved.
    #[serde(default)]
    pub disagreements: Vec<SolverDisagreement>,
    /// Whether the pair of seed and solver is worth another visit.
    pub verdict: PairVerdict,
}

/// What a unit tells of its pair of seed and solver.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairVerdict {
    /// It is of use.
    #[default]
    Useful,
    /// The unit gave nothing; after some of these the pair is given up.
    Failed(String),
    /// The solver can do nothing with the seed.
    NotForSolver(String),
    /// No solver can.
    ForNobody(String),
}

impl UnitChoice {
    /// The value that is drawn for a mutator's parameter.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

impl UnitPlan {
    /// The plan of a slot, with nothing else decided.
    pub fn of(slot: PlanSlot) -> UnitPlan {
        UnitPlan { number: slot.unit.number, seed: slot.seed, target: slot.target, visit: slot.visit, choice: None }
    }

    /// Where the unit stands in the campaign of this seed.
    pub fn slot(&self, campaign: u64) -> PlanSlot {
        let unit = Unit { campaign, number: self.number };
        PlanSlot { seed: self.seed, target: self.target, visit: self.visit, unit }
    }
}
