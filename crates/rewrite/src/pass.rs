//! What a pass is: a named, bounded rewriting of goals with a way back for models.
//!
//! A [`RewritePass`] is the one-to-one case. A [`Split`] is the one-to-many case: the old goal is satisfiable exactly when one of
//! the new ones is, and a refutation needs all of them; no goal at all would be a refutation, so a split gives at least one.
//! The crate `strategy` makes a tactic of each, and defines the tactics that are neither (endgames, tacticals).

use crate::converter::ModelConverter;
use crate::goal::{Goal, GoalFormula};
use crate::walk::Rebuild;
use smtlib::{Store, TermId};

pub use crate::settings::{Params, PassError, PassLimits, PassMeter, PassSettings, TacticParameter};
pub use semantics::Stop;

/// A rewriting of one goal into one other.
pub trait RewritePass: Sync {
    /// Its name in the strategy language.
    fn name(&self) -> &'static str;

    /// What it does, in one sentence.
    fn describe(&self) -> &'static str;

    /// A goal before and after it.
    fn example(&self) -> Example;

    /// The parameters it takes, besides those all passes have.
    fn params(&self) -> &'static [TacticParameter] {
        &[]
    }

    /// Whether every model of a goal makes the formulas after it true, given values for new symbols: formulas are only replaced by
    /// equivalent ones, left out, or added where they follow. Not so where a model is only promised to exist.
    fn is_consequence(&self) -> bool {
        false
    }

    /// Rewrites a goal.
    ///
    /// # Errors
    /// [`PassError`]; the goal is then lost, so a caller that wants to go on keeps a clone (formulas are ids).
    fn apply(&self, store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError>;
}

/// A rewriting of one goal into several, one of which must be satisfiable for the goal to be.
pub trait Split: Sync {
    /// Its name in the strategy language.
    fn name(&self) -> &'static str;

    /// What it does, in one sentence.
    fn describe(&self) -> &'static str;

    /// A goal before, and the goals after it.
    fn example(&self) -> Example;

    /// The parameters it takes, besides those all passes have.
    fn params(&self) -> &'static [TacticParameter] {
        &[]
    }

    /// Splits a goal into one or more.
    ///
    /// # Errors
    /// As [`RewritePass::apply`].
    fn apply(&self, store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<Vec<PassResult>, PassError>;
}

/// A script's commands before a pass, and the formulas after it, as SMT-LIB. The tests run them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// Declarations and assertions.
    pub before: &'static str,
    /// For every goal after it, its formulas.
    pub after: &'static [&'static str],
}

/// A new goal, and the way back for its models.
#[derive(Clone, Debug)]
pub struct PassResult {
    /// The new goal.
    pub goal: Goal,
    /// Turns a model of the new goal into one of the old.
    pub converter: ModelConverter,
}

impl PassResult {
    /// A step that keeps models as they are. It counts as one: the goal's depth grows.
    pub fn new(goal: Goal) -> PassResult {
        PassResult::with(goal, ModelConverter::identity())
    }

    /// A step that rebuilds every formula and keeps models as they are; `change` is that of [`Rebuild::run`].
    ///
    /// # Errors
    /// Those of `change`, a bound, or no time left.
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

    /// A step with a way back. The goal's depth grows by one.
    pub fn with(mut goal: Goal, converter: ModelConverter) -> PassResult {
        goal.depth = goal.depth.saturating_add(1);
        PassResult { goal, converter }
    }
}
