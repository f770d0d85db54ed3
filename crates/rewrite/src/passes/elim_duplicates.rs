//! `elim-duplicates`: keeps each formula once.

use crate::goal::Goal;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::walk::TermSet;
use smtlib::Store;

/// The pass.
pub struct ElimDuplicates;

impl RewritePass for ElimDuplicates {
    fn name(&self) -> &'static str {
        "elim-duplicates"
    }

    fn describe(&self) -> &'static str {
        "drops formulas that are there already"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert p)(assert (or p q))",
            after: &["(or p q) p"],
        }
    }

    fn is_consequence(&self) -> bool {
        true
    }

    fn apply(&self, store: &mut Store, mut goal: Goal, _settings: &PassSettings) -> Result<PassResult, PassError> {
        let mut seen = TermSet::default();
        let kept: Vec<_> = goal.take().into_iter().filter(|f| seen.insert(f.term)).collect();
        Ok(PassResult::new(goal.with(store, kept)))
    }
}
