//! Tactics: the leaves of a strategy; adapts passes, splits and engines to tactics.

use crate::engine::{Decision, Engine};
use crate::outcome::{Subgoals, TacticFailure, TacticOutcome};
use crate::run::TacticRun;
use rewrite::{Goal, Origins, Params, PassSettings, RewritePass, Split};
use smtlib::{Store, TermId, logic};
use std::sync::Arc;

/// Maps a goal to an answer or to subgoals, or fails. Parameters are set when it is made.
pub trait Tactic: Send + Sync {
    /// Applies it. The goal is open (not decided yet), and the run's time was not up a moment ago.
    ///
    /// Invariant: answers and subgoals relate to the goal according to the precision of the result; see [`TacticOutcome`].
    fn apply(&self, store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome;

    /// Returns the features that it decides or translates: a set of those of [`smtlib::logic`]. If a strategy fails on features that no
    /// part of it accepts, that is the reason; features that may merely vanish (an equation solved) need not be included.
    fn takes(&self) -> u32 {
        0
    }

    /// Whether every model of a goal makes the formulas of its only subgoal true, as in [`RewritePass::is_consequence`].
    fn is_consequence(&self) -> bool {
        false
    }
}

/// `skip`: the unchanged goal.
pub struct Skip;

impl Tactic for Skip {
    fn apply(&self, _: &mut Store, goal: Goal, _: &mut TacticRun) -> TacticOutcome {
        TacticOutcome::Open(Subgoals::unchanged(goal))
    }

    fn is_consequence(&self) -> bool {
        true
    }
}

/// `fail`.
pub struct Fail;

impl Tactic for Fail {
    fn apply(&self, _: &mut Store, _: Goal, _: &mut TacticRun) -> TacticOutcome {
        TacticOutcome::Fail(TacticFailure::Deliberate("fail".to_string()))
    }
}

/// A simplifying pass as a tactic.
pub struct OfPass {
    /// The pass.
    pub pass: &'static RewritePass,
    /// Its parameters.
    pub params: Params,
    /// Its name, shared with the proofs it occurs in.
    pub name: Arc<str>,
}

impl Tactic for OfPass {
    fn apply(&self, store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome {
        let formulas = goal.len();
        match self.pass.apply(store, goal, &settings(&self.params, run)) {
            Ok(step) => TacticOutcome::Open(Subgoals::step(&self.name, formulas, vec![step])),
            Err(error) => TacticOutcome::Fail(TacticFailure::of(error, &run.budget)),
        }
    }

    fn takes(&self) -> u32 {
        turned(self.pass.name)
    }

    fn is_consequence(&self) -> bool {
        self.pass.is_consequence
    }
}

/// The features that passes translate, by the names of the passes.
const TURNED: [(&str, u32); 2] = [("fp-to-bv", logic::FLOATS), ("ackermannize", logic::FUNCTIONS)];

/// Returns the features that a pass translates.
fn turned(pass: &str) -> u32 {
    TURNED.iter().find(|(name, _)| *name == pass).map_or(0, |(_, features)| *features)
}

/// A split as a tactic.
pub struct OfSplit {
    /// The split.
    pub split: &'static Split,
    /// Its parameters.
    pub params: Params,
    /// Its name, shared with the proofs it occurs in.
    pub name: Arc<str>,
}

impl Tactic for OfSplit {
    fn apply(&self, store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome {
        let formulas = goal.len();
        match self.split.apply(store, goal, &settings(&self.params, run)) {
            Ok(steps) if steps.is_empty() => {
                TacticOutcome::Fail(TacticFailure::Trouble(format!("{} left neither goal nor reason", self.name)))
            }
            Ok(steps) => TacticOutcome::Open(Subgoals::step(&self.name, formulas, steps)),
            Err(error) => TacticOutcome::Fail(TacticFailure::of(error, &run.budget)),
        }
    }
}

fn settings(params: &Params, run: &TacticRun) -> PassSettings {
    PassSettings { params: params.clone(), limits: run.budget.limits, stop: run.budget.stop() }
}

/// A decision engine as a tactic: it answers or fails.
pub struct OfEngine {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// Its name, shared with the proofs it occurs in.
    pub name: Arc<str>,
    /// Whether its answers depend on other programs.
    pub external: bool,
    /// The allowed features of its goals, as in [`Tactic::takes`].
    pub takes: u32,
}

impl Tactic for OfEngine {
    fn apply(&self, store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome {
        let terms: Vec<TermId> = goal.terms().collect();
        match self.engine.decide(store, &terms, &run.budget) {
            Decision::Sat(model) => TacticOutcome::sat(&goal, Some(model), &self.name, false),
            Decision::Unsat(used) => {
                let (origins, used) = used_origins(&goal, &used);
                TacticOutcome::unsat(&goal, origins, used, &self.name, self.external)
            }
            Decision::Unknown(why) => TacticOutcome::Fail(match run.budget.check() {
                Err(stopped) => TacticFailure::Stopped(stopped),
                Ok(()) => TacticFailure::Undecided(why),
            }),
        }
    }

    fn takes(&self) -> u32 {
        self.takes
    }
}

/// Returns the origins of some formulas of a goal, by position, and the number of formulas.
pub fn used_origins(goal: &Goal, positions: &[usize]) -> (Origins, usize) {
    let used: Vec<&Origins> =
        positions.iter().filter_map(|&n| goal.formulas().get(n)).map(|formula| &formula.origins).collect();
    (Origins::all(used.iter().copied()), used.len())
}
