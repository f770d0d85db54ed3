//! Drops assertion levels: all of them, with everything that is not live at the wrong check, or pair by pair.
//!
//! Before: `(push 2)(assert a)(pop 1)(push 1)(assert b)(check-sat)`. After: `(assert b)(check-sat)`.

use super::{Grouping, ReductionPass, View};
use crate::plan::ScriptEdit;
use smtlib::{Command, Script};

/// The maximum number of levels of one push that are treated separately.
const MAX_LEVELS: u32 = 1000;

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "levels", about: "drops push and pop", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let commands = &view.script.commands;
    if !commands.iter().any(|c| matches!(c, Command::Push(_) | Command::Pop(_) | Command::Reset)) {
        return Vec::new();
    }
    let flat = flattened(view).map(ScriptEdit::Script).into_iter().collect();
    let pairs = pairs(commands);
    // First with everything between, then only the two commands themselves.
    let whole = pairs.iter().map(|&(open, close)| ScriptEdit::Drop((open..=close).collect())).collect();
    let bare = pairs.iter().map(|&(open, close)| ScriptEdit::Drop(vec![open, close])).collect();
    let shallow = commands.iter().enumerate().filter_map(|(n, c)| match c {
        Command::Push(0) | Command::Pop(0) => Some(ScriptEdit::Drop(vec![n])),
        _ => None,
    });
    vec![flat, whole, bare, shallow.collect(), single(commands)]
}

/// Returns each level separately where its push or pop spans more than one level, or nothing closes it.
fn single(commands: &[Command]) -> Vec<ScriptEdit> {
    let lowered = |n: usize| match &commands[n] {
        Command::Push(levels @ 2..) => ScriptEdit::Command(n, vec![Command::Push(levels - 1)]),
        Command::Pop(levels @ 2..) => ScriptEdit::Command(n, vec![Command::Pop(levels - 1)]),
        _ => ScriptEdit::Drop(vec![n]),
    };
    let mut open: Vec<usize> = Vec::new();
    let mut edits = Vec::new();
    for (n, command) in commands.iter().enumerate() {
        match command {
            // An absurd number of levels would only fill the memory.
            Command::Push(levels) => open.extend((0..(*levels).min(MAX_LEVELS)).map(|_| n)),
            Command::Pop(levels) => {
                let closed = open.split_off(open.len().saturating_sub(*levels as usize));
                edits.extend(closed.first().map(|&start| ScriptEdit::All(vec![lowered(start), lowered(n)])));
            }
            Command::Reset | Command::ResetAssertions => open.clear(),
            _ => {}
        }
    }
    open.dedup();
    edits.extend(open.into_iter().map(lowered));
    edits
}

/// Returns the instance of the wrong check as a script without levels.
fn flattened(view: &View<'_>) -> Option<Script> {
    let commands = &view.script.commands;
    let instance = view.script.instance(view.check)?;
    if instance.incomplete {
        return None;
    }
    let check = commands.iter().filter(|c| c.is_check()).nth(view.check)?.clone();
    let assumed = match &check {
        Command::CheckSatAssuming(terms) => terms.len(),
        _ => 0,
    };
    let mut new = instance.options;
    new.extend(instance.logic.map(Command::SetLogic));
    new.extend(instance.declarations);
    let asserted = instance.assertions.len() - assumed;
    new.extend(instance.assertions[..asserted].iter().map(|&t| Command::Assert(t, None)));
    new.push(check);
    Some(Script { commands: new })
}

/// Returns pushes with the pops that close them, if both span the same number of levels; outer pairs first.
fn pairs(commands: &[Command]) -> Vec<(usize, usize)> {
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    for (n, command) in commands.iter().enumerate() {
        match command {
            Command::Push(levels) => open.push((n, *levels)),
            Command::Pop(levels) => match open.pop() {
                Some((start, opened)) if opened == *levels => pairs.push((start, n)),
                _ => open.clear(),
            },
            Command::Reset | Command::ResetAssertions => open.clear(),
            _ => {}
        }
    }
    pairs.sort_unstable();
    pairs
}
