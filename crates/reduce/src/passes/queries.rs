//! Drops commands that request output other than answers: `get-model`, `echo`, `set-info`, `exit`.
//!
//! Before: `(set-info :source "x")(assert a)(check-sat)(get-model)(exit)`. After: `(assert a)(check-sat)`.

use super::{Grouping, ReductionPass, View};
use crate::plan::ScriptEdit;
use smtlib::Command;

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "queries", about: "drops queries and infos", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let droppable = |c: &Command| {
        matches!(
            c,
            Command::GetModel
                | Command::GetValue(_)
                | Command::Echo(_)
                | Command::Exit
                | Command::Query(_)
                | Command::SetInfo(..)
                | Command::Opaque(..)
        )
    };
    let commands = view.script.commands.iter().enumerate();
    vec![commands.filter(|(_, c)| droppable(c)).map(|(n, _)| ScriptEdit::Drop(vec![n])).collect()]
}
