//! Passes that drop or shorten whole commands.

use super::{Grouping, ReductionPass, View};
use crate::plan::ScriptEdit;
use smtlib::Command;
use smtlib::logic::{granted, holding, of_script};

/// Drops checks other than the one that is answered wrongly.
///
/// Before: `(assert a)(check-sat)(assert b)(check-sat)(get-model)`, the second check being wrong. After:
/// `(assert a)(assert b)(check-sat)`.
pub const CHECKS: ReductionPass =
    ReductionPass { name: "checks", about: "drops checks", group: Grouping::Halving, propose: checks };

/// Drops assertions, the deepest first.
///
/// Before: `(assert a)(assert (or b c))(assert d)(check-sat)`. After: `(assert a)(check-sat)`.
pub const ASSERTIONS: ReductionPass =
    ReductionPass { name: "assertions", about: "drops assertions", group: Grouping::Halving, propose: assertions };

/// Drops commands that change no answer: `get-model`, `echo`, `set-info`, `exit`, `minimize`.
///
/// Before: `(set-info :source "x")(assert a)(check-sat)(get-model)(exit)`. After: `(assert a)(check-sat)`.
pub const QUERIES: ReductionPass =
    ReductionPass { name: "queries", about: "drops queries and infos", group: Grouping::Halving, propose: queries };

/// Drops options.
///
/// Before: `(set-option :produce-models true)(assert a)(check-sat)`. After: `(assert a)(check-sat)`.
pub const OPTIONS: ReductionPass =
    ReductionPass { name: "options", about: "drops options", group: Grouping::Halving, propose: options };

/// Drops the logic, or narrows it to the smallest that covers the script.
///
/// Before: `(set-logic QF_AUFLIRA)`. After: nothing, or `(set-logic QF_LRA)` if there is no array, function or integer.
pub const LOGIC: ReductionPass = ReductionPass {
    name: "logic",
    about: "drops the logic, or narrows it to the smallest that covers the script",
    group: Grouping::Single,
    propose: logic,
};

fn checks(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
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

fn assertions(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
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
            Command::Rule(t, ..) => asserted.push((view.store.depth(*t), n)),
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

fn queries(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let droppable = |c: &Command| {
        matches!(
            c,
            Command::GetModel
                | Command::GetValue(_)
                | Command::Echo(_)
                | Command::Exit
                | Command::Query(_)
                | Command::SetInfo(..)
                | Command::Extension(..)
                | Command::Erroneous(_)
                | Command::Opaque(..)
        )
    };
    let commands = view.script.commands.iter().enumerate();
    vec![commands.filter(|(_, c)| droppable(c)).map(|(n, _)| ScriptEdit::Drop(vec![n])).collect()]
}

fn options(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let commands = view.script.commands.iter().enumerate();
    let options = commands.filter(|(_, c)| matches!(c, Command::SetOption(..)));
    vec![options.map(|(n, _)| ScriptEdit::Drop(vec![n])).collect()]
}

fn logic(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
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
