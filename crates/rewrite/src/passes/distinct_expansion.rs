//! `distinct-expansion`: `distinct` of n terms becomes the disequalities of all pairs.

use crate::goal::Goal;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use smtlib::{Kind, Store};

/// The pass.
pub struct DistinctExpansion;

impl RewritePass for DistinctExpansion {
    fn name(&self) -> &'static str {
        "distinct-expansion"
    }

    fn describe(&self) -> &'static str {
        "replaces distinct by the disequalities of all pairs of its arguments"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (distinct x y z))",
            after: &["(and (not (= x y)) (not (= x z)) (not (= y z)))"],
        }
    }

    fn is_consequence(&self) -> bool {
        true
    }

    fn apply(&self, store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
        let mut pairs_watch = settings.watch(store);
        PassResult::rebuilt(store, goal, settings, |store, u| {
            if store.kind(u) != Kind::Distinct {
                return Ok(u);
            }
            let args = store.args(u).to_vec();
            let mut parts = Vec::new();
            for (n, &a) in args.iter().enumerate() {
                for &b in &args[n + 1..] {
                    pairs_watch.tick(store)?;
                    let same = store.eq(a, b)?;
                    parts.push(store.not(same));
                }
            }
            Ok(store.and(&parts))
        })
    }
}
