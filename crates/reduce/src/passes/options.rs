//! Drops options.
//!
//! Before: `(set-option :produce-models true)(assert a)(check-sat)`. After: `(assert a)(check-sat)`.

use super::{Grouping, Pass, View};
use crate::plan::Edit;
use smtlib::Command;

/// The pass.
pub const PASS: Pass = Pass { name: "options", about: "drops options", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<Edit>> {
    let commands = view.script.commands.iter().enumerate();
    let options = commands.filter(|(_, c)| matches!(c, Command::SetOption(..)));
    vec![options.map(|(n, _)| Edit::Drop(vec![n])).collect()]
}
