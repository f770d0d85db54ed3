//! Drops arguments of operators that take any number of them.
//!
//! Before: `(assert (and a b c))(assert (< 0 x y 9))`. After: `(assert b)(assert (< 0 9))`.

use super::{Grouping, MAX_TERMS, ReductionPass, View, levels};
use crate::plan::ScriptEdit;
use crate::rebuild::with_fewer;

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "arguments", about: "drops arguments of n-ary operators", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut batches = Vec::new();
    for t in levels(view, MAX_TERMS).into_iter().flatten() {
        let args = view.store.args(t).to_vec();
        if args.len() < 2 || with_fewer(view.store, t, &args[1..]).is_none() {
            continue;
        }
        batches.push((0..args.len() as u32).map(|n| ScriptEdit::DropArguments(t, vec![n])).collect());
    }
    batches
}
