//! The result of a tactic on a goal: an answer, subgoals, or a failure.

use crate::budget::{Budget, Stopped};
use crate::proof::Proof;
use rewrite::{Goal, Origins, PassError, PassResult};
use semantics::Model;
use smtlib::Store;
use std::sync::Arc;

/// The result of a tactic on a goal.
///
/// Invariant: `Sat` and `Unsat` also hold for the input of the whole strategy, which the precision of the goal decides: an
/// under-approximation's `unsat` and an over-approximation's `sat` are failures.
#[derive(Clone, Debug)]
pub enum TacticOutcome {
    /// The goal is satisfiable.
    Sat(GoalWitness),
    /// The goal is unsatisfiable.
    Unsat(Refutation),
    /// The goal is satisfiable if and only if one of these is (as far as their precision promises).
    Open(Subgoals),
    /// The tactic failed.
    Fail(TacticFailure),
}

/// Why a goal is satisfiable.
#[derive(Clone, Debug)]
pub struct GoalWitness {
    /// A model of the goal; `None` if another program answers `sat` and its model cannot be read.
    pub model: Option<Model>,
    /// The source of the answer.
    pub by: Arc<str>,
    /// Whether that is another program.
    pub external: bool,
}

/// Why a goal is unsatisfiable.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The input assertions used; empty if no core is wanted.
    pub origins: Origins,
    /// The steps.
    pub proof: Proof,
}

/// Subgoals.
#[derive(Clone, Debug)]
pub struct Subgoals {
    /// The subgoals with their model conversions; hole n of the proof is branch n.
    pub branches: Vec<PassResult>,
    /// The input assertions used by subgoals that are refuted already.
    pub origins: Origins,
    /// The proof so far.
    pub proof: Proof,
}

impl Subgoals {
    /// Returns the goal unchanged.
    pub fn unchanged(goal: Goal) -> Subgoals {
        let converter = rewrite::ModelConverter::identity();
        Subgoals { branches: vec![PassResult { goal, converter }], origins: Origins::none(), proof: Proof::Hole(0) }
    }

    /// Returns the subgoals of one step.
    pub fn step(tactic: &Arc<str>, formulas: usize, branches: Vec<PassResult>) -> Subgoals {
        Subgoals::stepped(tactic, None, formulas, branches)
    }

    /// Returns the subgoals of a trusted step by another program.
    pub fn trusted_step(tactic: &Arc<str>, by: &Arc<str>, formulas: usize, branches: Vec<PassResult>) -> Subgoals {
        Subgoals::stepped(tactic, Some(by.clone()), formulas, branches)
    }

    fn stepped(tactic: &Arc<str>, trusted: Option<Arc<str>>, formulas: usize, branches: Vec<PassResult>) -> Subgoals {
        let premises = (0..branches.len()).map(Proof::Hole).collect();
        let proof = Proof::Step { tactic: tactic.clone(), trusted, formulas, premises, split: None };
        Subgoals { branches, origins: Origins::none(), proof }
    }
}

/// Why a tactic failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TacticFailure {
    /// The tactics `fail` and `fail-if`, or `thens` with another number of subgoals.
    #[error("{0}")]
    Deliberate(String),
    /// The goal is not in the tactic's fragment.
    #[error("not applicable: {0}")]
    NotApplicable(String),
    /// An engine gave up.
    #[error("{0}")]
    Undecided(String),
    /// `sat` of an over-approximation, with its model if there is one.
    #[error("an over-approximation is sat, which says nothing of the input")]
    LostSat(Option<Box<Model>>),
    /// `unsat` of an under-approximation, with the origins used.
    #[error("an under-approximation is unsat, which says nothing of the input")]
    LostUnsat(Origins),
    /// A goal grew beyond a bound.
    #[error("{0}")]
    TooLarge(String),
    /// Stopped from outside.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// An unexpected error, such as a solver's crash.
    #[error("{0}")]
    Trouble(String),
    /// A model of a subgoal does not yield one of the goal: a step was wrong.
    #[error("a model cannot be brought back: {why}")]
    WrongStep {
        /// The evidence.
        why: String,
        /// Whether another program did the step.
        external: bool,
    },
}

impl From<PassError> for TacticFailure {
    fn from(error: PassError) -> TacticFailure {
        match error {
            PassError::TooLarge { .. } => TacticFailure::TooLarge(error.to_string()),
            PassError::Interrupted => TacticFailure::Stopped(Stopped::Cancelled),
            PassError::NotApplicable(why) => TacticFailure::NotApplicable(why),
            PassError::Build(_) => TacticFailure::Trouble(error.to_string()),
        }
    }
}

impl TacticFailure {
    /// Converts a pass's failure under a budget: the pass reports only an interruption, but the budget knows the cause.
    pub fn of(error: PassError, budget: &Budget) -> TacticFailure {
        match (TacticFailure::from(error), budget.check()) {
            (TacticFailure::Stopped(_), Err(stopped)) => TacticFailure::Stopped(stopped),
            (other, _) => other,
        }
    }
}

impl TacticOutcome {
    /// Returns the answer of a decided goal: without formulas, or with `false`.
    pub fn of_decided(store: &Store, goal: &Goal, by: &Arc<str>) -> Option<TacticOutcome> {
        Some(match goal.status(store) {
            rewrite::goal::GoalStatus::Open => return None,
            rewrite::goal::GoalStatus::Sat => TacticOutcome::sat(goal, Some(Model::new()), by, false),
            rewrite::goal::GoalStatus::Unsat => TacticOutcome::unsat(goal, goal.origins(), 1, by, false),
        })
    }

    /// Returns `sat` of a goal, if its precision allows that.
    pub fn sat(goal: &Goal, model: Option<Model>, by: &Arc<str>, external: bool) -> TacticOutcome {
        match goal.precision.keeps_sat() {
            true => TacticOutcome::Sat(GoalWitness { model, by: by.clone(), external }),
            false => TacticOutcome::Fail(TacticFailure::LostSat(model.map(Box::new))),
        }
    }

    /// Returns `unsat` of a goal, if its precision allows that.
    pub fn unsat(goal: &Goal, origins: Origins, used: usize, by: &Arc<str>, external: bool) -> TacticOutcome {
        match goal.precision.keeps_unsat() {
            true => {
                let proof = Proof::Closed { by: by.clone(), trusted: external, formulas: goal.len(), used, step: None };
                TacticOutcome::Unsat(Refutation { origins, proof })
            }
            false => TacticOutcome::Fail(TacticFailure::LostUnsat(origins)),
        }
    }

    /// Summarizes the outcome in a few words.
    pub fn summary(&self) -> String {
        match self {
            TacticOutcome::Sat(w) => format!("sat by {}", w.by),
            TacticOutcome::Unsat(_) => "unsat".to_string(),
            TacticOutcome::Open(open) => match open.branches.len() {
                1 => "1 subgoal".to_string(),
                n => format!("{n} subgoals"),
            },
            TacticOutcome::Fail(failure) => format!("failed: {failure}"),
        }
    }
}
