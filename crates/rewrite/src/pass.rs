//! Passes: named, bounded rewritings of goals with model conversions.
//!
//! A [`RewritePass`] is the one-to-one case. A [`Split`](crate::Split) is the one-to-many case: the old goal is satisfiable if and only if one of the
//! new ones is, and a refutation needs all of them; a split returns at least one goal, since none would be a refutation. The crate
//! `strategy` makes a tactic of each, and defines the other tactics (endgames, tacticals).

use crate::converter::ModelConverter;
use crate::goal::{Goal, GoalFormula};
use crate::walk::Rebuild;
use smtlib::{Store, TermId};

pub use crate::settings::{Params, PassError, PassLimits, PassMeter, PassSettings, TacticParameter};
pub use semantics::Stop;

/// A rewriting of one goal into one other.
pub struct RewritePass {
    /// Its name in the strategy language.
    pub name: &'static str,
    /// Its description, in one sentence.
    pub about: &'static str,
    /// A goal before and after it.
    pub example: Example,
    /// Its parameters, besides those of all passes.
    pub params: &'static [TacticParameter],
    /// Whether every model of a goal makes the formulas after it true, with values for new symbols: formulas are only replaced by
    /// equivalent ones, dropped, or added as consequences. False if only the existence of a model is preserved.
    pub is_consequence: bool,
    /// The work of [`RewritePass::apply`].
    pub rewrite: fn(&mut Store, Goal, &PassSettings) -> Result<PassResult, PassError>,
}

impl RewritePass {
    /// Rewrites a goal.
    /// Errors: [`PassError`]; the goal is lost then, so a caller that wants to continue keeps a clone (formulas are ids).
    pub fn apply(&self, store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
        (self.rewrite)(store, goal, settings)
    }
}

/// A script's commands before a pass, and the formulas after it, as SMT-LIB. The tests run them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// Declarations and assertions.
    pub before: &'static str,
    /// The formulas of every goal after it.
    pub after: &'static [&'static str],
}

/// A new goal, and its model conversion.
#[derive(Clone, Debug)]
pub struct PassResult {
    /// The new goal.
    pub goal: Goal,
    /// Turns a model of the new goal into one of the old.
    pub converter: ModelConverter,
}

impl PassResult {
    /// Makes a step that keeps models. The goal's depth grows by one.
    pub fn new(goal: Goal) -> PassResult {
        PassResult::with(goal, ModelConverter::identity())
    }

    /// Makes a step that rebuilds every formula and keeps models; `change` is that of [`Rebuild::run`].
    /// Errors: the errors of `change`, and of [`PassMeter::tick`]: too many terms were made, or the time is up.
    pub fn rebuilt(
        store: &mut Store,
        mut goal: Goal,
        settings: &PassSettings,
        mut change: impl FnMut(&mut Store, TermId) -> Result<TermId, PassError>,
    ) -> Result<PassResult, PassError> {
        let mut watch = settings.watch(store);
        let mut rebuild = Rebuild::default();
        for GoalFormula { term, origins } in goal.take() {
            let term = rebuild.run(store, term, &mut watch, &mut change)?;
            goal.push(store, GoalFormula { term, origins });
        }
        Ok(PassResult::new(goal))
    }

    /// Makes a step with a model conversion. The goal's depth grows by one.
    pub fn with(mut goal: Goal, converter: ModelConverter) -> PassResult {
        goal.depth = goal.depth.saturating_add(1);
        PassResult { goal, converter }
    }
}
