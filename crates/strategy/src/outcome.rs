//! What a tactic makes of a goal: an answer, subgoals, or a failure.

use crate::budget::{Budget, Stopped};
use crate::proof::Proof;
use rewrite::{Goal, Origins, PassError, PassResult};
use semantics::Model;
use smtlib::Store;
use std::sync::Arc;

/// What a tactic makes of a goal.
///
/// Invariant: `Sat` and `Unsat` hold of the input of the whole strategy as well, which the precision of the goal decides: an
/// under-approximation's `unsat` and an over-approximation's `sat` are failures.
#[derive(Clone, Debug)]
pub enum TacticOutcome {
    /// The goal is satisfiable.
    Sat(GoalWitness),
    /// The goal is unsatisfiable.
    Unsat(Refutation),
    /// The goal is satisfiable exactly when one of these is (as far as their precision says).
    Open(Subgoals),
    /// Nothing came of it.
    Fail(TacticFailure),
}

/// Why a goal is satisfiable.
#[derive(Clone, Debug)]
pub struct GoalWitness {
    /// A model of the goal; none where another program says `sat` and no model of it can be read.
    pub model: Option<Model>,
    /// Who found it.
    pub by: Arc<str>,
    /// Whether that is another program.
    pub external: bool,
}

/// Why a goal is unsatisfiable.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The input assertions used; empty where no core is wanted.
    pub origins: Origins,
    /// The steps.
    pub proof: Proof,
}

/// Subgoals.
#[derive(Clone, Debug)]
pub struct Subgoals {
    /// The subgoals with the way back for their models; hole n of the proof is branch n.
    pub branches: Vec<PassResult>,
    /// The input assertions used by the subgoals that are refuted already.
    pub origins: Origins,
    /// The proof as far as it goes.
    pub proof: Proof,
}

impl Subgoals {
    /// The goal itself, nothing done.
    pub fn unchanged(goal: Goal) -> Subgoals {
        let converter = rewrite::ModelConverter::identity();
        Subgoals { branches: vec![PassResult { goal, converter }], origins: Origins::none(), proof: Proof::Hole(0) }
    }

    /// The subgoals that one step leads to.
    pub fn step(tactic: &Arc<str>, formulas: usize, branches: Vec<PassResult>) -> Subgoals {
        Subgoals::stepped(tactic, None, formulas, branches)
    }

    /// The subgoals that a step of another program leads to, whose word is taken.
    pub fn trusted_step(tactic: &Arc<str>, by: &Arc<str>, formulas: usize, branches: Vec<PassResult>) -> Subgoals {
        Subgoals::stepped(tactic, Some(by.clone()), formulas, branches)
    }

    fn stepped(tactic: &Arc<str>, trusted: Option<Arc<str>>, formulas: usize, branches: Vec<PassResult>) -> Subgoals {
        let premises = (0..branches.len()).map(Proof::Hole).collect();
        let proof = Proof::Step { tactic: tactic.clone(), trusted, formulas, premises, split: None };
        Subgoals { branches, origins: Origins::none(), proof }
    }
}

/// Why nothing came of a tactic.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TacticFailure {
    /// The tactic `fail`, `fail-if`, `thens` on another number of subgoals.
    #[error("{0}")]
    SatResponse(String),
    /// The goal is not in the tactic's fragment.
    #[error("not applicable: {0}")]
    NotApplicable(String),
    /// An engine gave up.
    #[error("{0}")]
    Undecided(String),
    /// `sat` of an over-approximation, with its model if there is one.
    #[error("an over-approximation is sat, which says nothing of the input")]
    LostSat(Option<Box<Model>>),
    /// `unsat` of an under-approximation, with the origins that were used.
    #[error("an under-approximation is unsat, which says nothing of the input")]
    LostUnsat(Origins),
    /// A goal grew beyond a bound.
    #[error("{0}")]
    TooLarge(String),
    /// Stopped from outside.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Something went wrong that should not: a solver's crash.
    #[error("{0}")]
    Trouble(String),
    /// A model of a subgoal leads to none of the goal: a step was wrong.
    #[error("a model cannot be brought back: {why}")]
    WrongStep {
        /// How that is known.
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
    /// Why a pass failed under a budget: it says only that it was interrupted, the budget knows why.
    pub fn of(error: PassError, budget: &Budget) -> TacticFailure {
        match (TacticFailure::from(error), budget.check()) {
            (TacticFailure::Stopped(_), Err(stopped)) => TacticFailure::Stopped(stopped),
            (other, _) => other,
        }
    }
}

impl TacticOutcome {
    /// The answer of a goal that decides itself: without formulas, or with `false`.
    pub fn of_decided(store: &Store, goal: &Goal, by: &Arc<str>) -> Option<TacticOutcome> {
        Some(match goal.status(store) {
            rewrite::goal::GoalStatus::Open => return None,
            rewrite::goal::GoalStatus::Sat => TacticOutcome::sat(goal, Some(Model::new()), by, false),
            rewrite::goal::GoalStatus::Unsat => TacticOutcome::unsat(goal, goal.origins(), 1, by, false),
        })
    }

    /// `sat` of a goal, if its precision lets that pass.
    pub fn sat(goal: &Goal, model: Option<Model>, by: &Arc<str>, external: bool) -> TacticOutcome {
        match goal.precision.keeps_sat() {
            true => TacticOutcome::Sat(GoalWitness { model, by: by.clone(), external }),
            false => TacticOutcome::Fail(TacticFailure::LostSat(model.map(Box::new))),
        }
    }

    /// `unsat` of a goal, if its precision lets that pass.
    pub fn unsat(goal: &Goal, origins: Origins, used: usize, by: &Arc<str>, external: bool) -> TacticOutcome {
        match goal.precision.keeps_unsat() {
            true => {
                let proof = Proof::Closed { by: by.clone(), trusted: external, formulas: goal.len(), used, step: None };
                TacticOutcome::Unsat(Refutation { origins, proof })
            }
            false => TacticOutcome::Fail(TacticFailure::LostUnsat(origins)),
        }
    }

    /// What came of it, in a few words.
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
