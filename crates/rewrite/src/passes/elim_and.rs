//! `elim-and`: conjunctions become negated disjunctions.

use crate::goal::Goal;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::simplify::negated;
use smtlib::{Kind, Store, TermId};

/// The pass.
pub struct ElimAnd;

impl RewritePass for ElimAnd {
    fn name(&self) -> &'static str {
        "elim-and"
    }

    fn describe(&self) -> &'static str {
        "replaces conjunctions below formulas by negated disjunctions"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const p Bool)(declare-const q Bool)(assert (= p (and p (not q))))",
            after: &["(= p (not (or (not p) q)))"],
        }
    }

    fn is_consequence(&self) -> bool {
        true
    }

    fn apply(&self, store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
        PassResult::rebuilt(store, goal, settings, |store, t| {
            if store.kind(t) != Kind::And {
                return Ok(t);
            }
            let args = store.args(t).to_vec();
            let negations: Vec<TermId> =
                args.into_iter().map(|a| negated(store, a).unwrap_or_else(|| store.not(a))).collect();
            let any = store.or(&negations);
            Ok(store.not(any))
        })
    }
}
