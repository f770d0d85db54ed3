//! Drops options.
//!
//! Before: `(set-option :produce-models true)(assert a)(check-sat)`. After: `(assert a)(check-sat)`.

use super::{Grouping, ReductionPass, View};
use crate::plan::ScriptEdit;
use smtlib::Command;

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "options", about: "drops options", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let commands = view.script.commands.iter().enumerate();
    let options = commands.filter(|(_, c)| matches!(c, Command::SetOption(..)));
    vec![options.map(|(n, _)| ScriptEdit::Drop(vec![n])).collect()]
}
