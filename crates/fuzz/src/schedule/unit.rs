//! A unit of work, as given out and as returned, for any worker.

use crate::counts::answer_counts::CellRow;
use crate::counts::error_texts::ErrorTexts;
use crate::counts::stats::Snapshot;
use crate::findings::disagreements::SolverDisagreement;
use crate::schedule::plan::PlanSlot;
use crate::under_test::Mode;
use mutate::Unit;
use serde::{Deserialize, Serialize};

/// The plan of a unit, fixed before it begins.
///
/// Invariant: its mutants depend only on this, the campaign's seed, and the lists of seeds and solvers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitPlan {
    /// The unit's number in the campaign.
    pub number: u64,
    /// The position of the seed.
    pub seed: usize,
    /// The position of the solver.
    pub target: usize,
    /// The number of earlier visits to the pair.
    pub visit: u64,
    /// The schedule's further decisions; without them the unit's own random stream decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<UnitChoice>,
}

/// The decisions of a learning schedule for a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitChoice {
    /// The index among the solver's mutators of the one tried first.
    pub mutator: usize,
    /// The tactics drawn, by their index among the available ones, possibly repeated.
    #[serde(default)]
    pub tactics: Vec<usize>,
    /// The theme drawn for generated problems, by its index among the available ones.
    #[serde(default)]
    pub theme: Option<usize>,
    /// Settings that override the mutator's own, as far as it has such parameters.
    #[serde(default)]
    pub settings: Vec<(String, String)>,
}

/// The result of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitReport {
    /// Its plan.
    pub plan: UnitPlan,
    /// Whether the unit was completed; an interrupted unit is done again.
    pub complete: bool,
    /// All counts.
    pub counts: Snapshot,
    /// Answers by solver, mutator and logic.
    pub cells: Vec<CellRow>,
    /// Whether the unmutated seed was sent.
    pub seed_sent: bool,
    /// SHA-256 of the seed's bytes, in hexadecimal; empty if it could not be read.
    pub seed_sha256: String,
    /// The name of the mutator that made the mutants; `None` without mutants.
    pub mutator: Option<String>,
    /// The number of mutants per mode.
    pub modes: Vec<(Mode, u64)>,
    /// The solver's messages in place of answers.
    #[serde(default)]
    pub errors: ErrorTexts,
    /// Some of the contradictions between solvers that could not be resolved.
    #[serde(default)]
    pub disagreements: Vec<SolverDisagreement>,
    /// Whether the pair of seed and solver is worth another visit.
    pub verdict: PairVerdict,
}

/// A unit's verdict on its pair of seed and solver.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairVerdict {
    /// The pair is useful.
    #[default]
    Useful,
    /// The unit yielded nothing; after several of these the pair is skipped.
    Failed(String),
    /// No generated problem of the unit was answered; after many of these in a row they count as failures.
    NoProblem(String),
    /// The solver cannot use the seed.
    NotForSolver(String),
    /// No solver can use it.
    ForNobody(String),
}

impl UnitChoice {
    /// Returns the value drawn for a mutator's parameter.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

impl UnitPlan {
    /// Makes the plan of a slot, without further decisions.
    pub fn of(slot: PlanSlot) -> UnitPlan {
        UnitPlan { number: slot.unit.number, seed: slot.seed, target: slot.target, visit: slot.visit, choice: None }
    }

    /// Returns the unit's slot in the campaign of this seed.
    pub fn slot(&self, campaign: u64) -> PlanSlot {
        let unit = Unit { campaign, number: self.number };
        PlanSlot { seed: self.seed, target: self.target, visit: self.visit, unit }
    }
}
