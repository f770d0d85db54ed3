//! Drops the logic, or narrows it to the smallest that covers the script.
//!
//! Before: `(set-logic QF_AUFLIRA)`. After: nothing, or `(set-logic QF_LRA)` if there is no array, function or integer.

use super::{Grouping, ReductionPass, View};
use crate::plan::ScriptEdit;
use smtlib::Command;
use smtlib::logic::{granted, holding, of_script};

/// The pass.
pub const PASS: ReductionPass = ReductionPass {
    name: "logic",
    about: "drops the logic, or narrows it to the smallest that covers the script",
    group: Grouping::Single,
    propose,
};

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let needed = of_script(view.store, view.script);
    let mut edits = Vec::new();
    for (n, command) in view.script.commands.iter().enumerate() {
        if let Command::SetLogic(logic) = command {
            edits.push(ScriptEdit::Drop(vec![n]));
            let grants = granted(view.store.name(*logic));
            // A logic that does not cover the script is accepted by few solvers; the others would reject the result.
            let narrower = holding(needed).filter(|name| granted(name) & !grants == 0);
            edits.extend(
                narrower.map(|name| ScriptEdit::Command(n, vec![Command::SetLogic(view.store.symbols.intern(name))])),
            );
        }
    }
    vec![edits]
}
