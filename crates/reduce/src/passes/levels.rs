//! Drops assertion levels: all of them at once with what is not live at the wrong check, or pair by pair.
//!
//! Before: `(push 2)(assert a)(pop 1)(push 1)(assert b)(check-sat)`. After: `(assert b)(check-sat)`.

use super::{Group, Pass, View};
use crate::plan::Edit;
use smtlib::{Command, Script};

/// The pass.
pub const PASS: Pass = Pass { name: "levels", about: "drops push and pop", group: Group::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<Edit>> {
    let commands = &view.script.commands;
    if !commands.iter().any(|c| matches!(c, Command::Push(_) | Command::Pop(_) | Command::Reset)) {
        return Vec::new();
    }
    let flat = flattened(view).map(Edit::Script).into_iter().collect();
    let pairs = pairs(commands);
    // With everything between, and only the two commands themselves.
    let whole = pairs.iter().map(|&(open, close)| Edit::Drop((open..=close).collect())).collect();
    let bare = pairs.iter().map(|&(open, close)| Edit::Drop(vec![open, close])).collect();
    let shallow = commands.iter().enumerate().filter_map(|(n, c)| match c {
        Command::Push(0) | Command::Pop(0) => Some(Edit::Drop(vec![n])),
        _ => None,
    });
    let unclosed = (0..commands.len()).filter(|&n| {
        matches!(commands[n], Command::Push(_) | Command::Pop(_)) && !pairs.iter().any(|p| p.0 == n || p.1 == n)
    });
    let unclosed: Vec<Edit> = unclosed.map(|n| Edit::Drop(vec![n])).collect();
    vec![flat, whole, bare, shallow.collect(), unclosed]
}

/// The instance of the wrong check as a script without levels.
fn flattened(view: &View<'_>) -> Option<Script> {
    let commands = &view.script.commands;
    let instance = view.script.instances().into_iter().nth(view.check)?;
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

/// Pushes with the pops that close them, where both are of the same number of levels; outer pairs first.
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
