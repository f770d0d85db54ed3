//! Drops checks other than the one that is answered wrongly.
//!
//! Before: `(assert a)(check-sat)(assert b)(check-sat)(get-model)`, the second check being wrong. After:
//! `(assert a)(assert b)(check-sat)`.

use super::{Grouping, Pass, View};
use crate::plan::Edit;
use smtlib::Command;

/// The pass.
pub const PASS: Pass = Pass { name: "checks", about: "drops checks", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<Edit>> {
    let commands = &view.script.commands;
    let checks: Vec<usize> = (0..commands.len()).filter(|&n| commands[n].is_check()).collect();
    let Some(&wrong) = checks.get(view.check) else { return Vec::new() };
    let others: Vec<usize> = checks.iter().copied().filter(|&n| n != wrong).collect();
    let tail: Vec<usize> = (wrong + 1..commands.len()).collect();
    let mut all = tail.clone();
    all.extend(others.iter().filter(|&&n| n < wrong));
    let plain = matches!(commands[wrong], Command::CheckSatUsing(_) | Command::CheckSatAssuming(_));
    vec![
        vec![Edit::Drop(all)],
        vec![Edit::Drop(tail)],
        others.into_iter().map(|n| Edit::Drop(vec![n])).collect(),
        plain.then(|| Edit::Command(wrong, vec![Command::CheckSat])).into_iter().collect(),
    ]
}
