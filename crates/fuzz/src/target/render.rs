//! Rendering of scripts in the dialect of a target.

use crate::target::Target;
use smtlib::printer::quote_symbol;
use smtlib::{Command, Instance, Printer, Store};
use std::borrow::Cow;

/// What declares, asserts, moves levels and checks. `:status` is never sent (design invariant 3), nor are options the target
/// does not know, nor questions whose answers are not read.
pub fn script(store: &Store, commands: &[Command], target: &Target) -> String {
    let mut text = String::new();
    let mut dialect = Cow::Borrowed(&target.spelling.dialect);
    if smtlib::logic::has_array_sets(store, commands) {
        // The operators stand in the text as they were read, and so must the sort: `Set` is always known.
        let _ = dialect.to_mut().rename("Set", "Set");
    }
    let mut printer = Printer::new(store, &dialect);
    if !commands.iter().any(|command| is_kept_logic(store, command, target))
        && let Some(logic) = logic_for(store, commands, target)
    {
        text.push_str("(set-logic ");
        quote_symbol(logic, &mut text);
        text.push_str(")\n");
    }
    for command in commands {
        let kept = match command {
            Command::SetOption(key, value) => target.spelling.keeps_option(key, value),
            Command::SetInfo(..) | Command::GetModel | Command::GetValue(_) | Command::Echo(_) | Command::Query(_) => {
                false
            }
            Command::SetLogic(_) => is_kept_logic(store, command, target),
            Command::Exit => break,
            _ => true,
        };
        if kept {
            printer.command(command, &mut text);
            text.push('\n');
        }
    }
    text
}

fn is_kept_logic(store: &Store, command: &Command, target: &Target) -> bool {
    matches!(command, Command::SetLogic(logic) if target.knows_logic(store.name(*logic)))
}

/// The logic for a script that names none, for a target that wants one.
fn logic_for<'t>(store: &Store, commands: &[Command], target: &'t Target) -> Option<&'t str> {
    let mut whole = Instance::default();
    for command in commands {
        match command {
            Command::Assert(t, _) => whole.assertions.push(*t),
            Command::CheckSatAssuming(assumed) => whole.assertions.extend_from_slice(assumed),
            declaration => whole.declarations.push(declaration.clone()),
        }
    }
    let terms = whole.assertions.clone();
    mutate::preamble::inferred_logic(store, &whole, &terms, &target.spelling)
}

/// A script of another target's in this one's spelling, each check by the solver's own strategy: it may not have the tactic of the
/// other, and the right answer is the same. None where it does not read.
pub(crate) fn again(text: &str, target: &Target) -> Option<String> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    let plain = |command: Command| if let Command::CheckSatUsing(_) = command { Command::CheckSat } else { command };
    let commands: Vec<Command> = parsed.script.commands.into_iter().map(plain).collect();
    parsed.errors.is_empty().then(|| script(&store, &commands, target))
}
