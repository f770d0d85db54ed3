//! Drops assertions, the deepest first.
//!
//! Before: `(assert a)(assert (or b c))(assert d)(check-sat)`. After: `(assert a)(check-sat)`.

use super::{Grouping, ReductionPass, View};
use crate::plan::ScriptEdit;
use smtlib::Command;

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "assertions", about: "drops assertions", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut asserted: Vec<(u32, usize)> = Vec::new();
    let mut unnamed = Vec::new();
    let mut assumptions = Vec::new();
    for (n, command) in view.script.commands.iter().enumerate() {
        match command {
            Command::Assert(t, name) => {
                asserted.push((view.store.depth(*t), n));
                if name.is_some() {
                    unnamed.push(ScriptEdit::Command(n, vec![Command::Assert(*t, None)]));
                }
            }
            Command::CheckSatAssuming(terms) => {
                for k in 0..terms.len() {
                    let mut fewer = terms.to_vec();
                    fewer.remove(k);
                    assumptions.push(ScriptEdit::Command(n, vec![Command::CheckSatAssuming(fewer.into())]));
                }
            }
            _ => {}
        }
    }
    asserted.sort_unstable_by(|a, b| b.cmp(a));
    vec![asserted.into_iter().map(|(_, n)| ScriptEdit::Drop(vec![n])).collect(), unnamed, assumptions]
}
