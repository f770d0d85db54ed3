//! Drops checks other than the one that is answered wrongly.
//!
//! Before: `(assert a)(check-sat)(assert b)(check-sat)(get-model)`, the second check being wrong. After:
//! `(assert a)(assert b)(check-sat)`.

use super::{Grouping, ReductionPass, View};
use crate::plan::ScriptEdit;
use smtlib::Command;

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "checks", about: "drops checks", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let commands = &view.script.commands;
    let checks: Vec<usize> = (0..commands.len()).filter(|&n| commands[n].is_check()).collect();
    let Some(&wrong) = checks.get(view.check) else { return Vec::new() };
    let others: Vec<usize> = checks.iter().copied().filter(|&n| n != wrong).collect();
    let tail: Vec<usize> = (wrong + 1..commands.len()).collect();
    let mut all = tail.clone();
    all.extend(others.iter().filter(|&&n| n < wrong));
    let plain = matches!(commands[wrong], Command::CheckSatUsing(_) | Command::CheckSatAssuming(_));
    vec![
        vec![ScriptEdit::Drop(all)],
        vec![ScriptEdit::Drop(tail)],
        others.into_iter().map(|n| ScriptEdit::Drop(vec![n])).collect(),
        plain.then(|| ScriptEdit::Command(wrong, vec![Command::CheckSat])).into_iter().collect(),
    ]
}
