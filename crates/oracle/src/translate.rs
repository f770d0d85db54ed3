//! Rendering of scripts in a solver's dialect: the one place that translates a script for another solver.

use crate::tested::{self, TestedSolver};
use mutate::TargetSpelling;
use smtlib::printer::quote_symbol;
use smtlib::{Command, Instance, Printer, Script, Store};
use solver::install::InstalledSolver;
use solver::session::Solver;
use solver::version::Version;
use std::borrow::Cow;

/// Renders declarations, assertions, levels and checks. `:status` is never sent (design invariant 3), nor are options that
/// the target does not know, nor questions whose answers are not read.
pub fn script(store: &Store, commands: &[Command], target: &TestedSolver) -> String {
    write(store, commands, &target.spelling, &|logic| target.knows_logic(logic))
}

/// The same for a solver of another kind, which lacks the original's tactics and simplifiers: each check uses its own strategy, and the
/// right answer stays the same.
pub fn for_solver(store: &Store, commands: &[Command], solver: &Solver) -> String {
    let spelling = tested::spelling(solver.installed());
    let knows = |logic: &str| tested::knows_logic(solver, logic).unwrap_or(true);
    write(store, &without_tactics(commands), &spelling, &knows)
}

/// Respells a text for another version of the same solver, keeping tactics and options.
pub fn for_version<'t>(text: &'t str, written_for: Option<&Version>, installed: &InstalledSolver) -> Cow<'t, str> {
    let renames = |version| installed.profile.renames(version);
    if renames(written_for) == renames(installed.version.as_ref()) {
        return Cow::Borrowed(text);
    }
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    // A text that does not parse is sent unchanged.
    if !parsed.errors.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    Printer::new(&store, &tested::dialect(installed)).script(&parsed.script, &mut out);
    Cow::Owned(out)
}

/// Drops what only one solver understands and what changes no answer: simplifiers, questions, and the tactics of
/// checks.
pub fn without_tactics(commands: &[Command]) -> Vec<Command> {
    let plain = |command: &Command| match command {
        Command::CheckSatUsing(_) => Some(Command::CheckSat),
        other if !other.is_check() && other.is_needless() => None,
        other => Some(other.clone()),
    };
    commands.iter().filter_map(plain).collect()
}

fn write(store: &Store, commands: &[Command], spelling: &TargetSpelling, knows_logic: &dyn Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let mut dialect = Cow::Borrowed(&spelling.dialect);
    if smtlib::logic::has_array_sets(store, commands) {
        // The operators are printed as they were read, and so must the sort: `Set` is always known.
        let _ = dialect.to_mut().rename("Set", "Set");
    }
    let mut printer = Printer::new(store, &dialect);
    let is_kept_logic =
        |command: &Command| matches!(command, Command::SetLogic(logic) if knows_logic(store.name(*logic)));
    let kept = commands.iter().find(|command| is_kept_logic(command));
    let named = match kept {
        Some(Command::SetLogic(logic)) => Some(store.name(*logic)),
        _ => logic_for(store, commands, spelling),
    };
    let needed = || smtlib::logic::of_script(store, &Script { commands: commands.to_vec() });
    let logic = dialect.logic(named, needed);
    if kept.is_none()
        && let Some(logic) = &logic
    {
        set_logic(logic, &mut text);
    }
    for command in commands {
        let kept = match command {
            Command::SetOption(key, value) => spelling.keeps_option(key, value),
            Command::SetInfo(..) | Command::GetModel | Command::GetValue(_) | Command::Echo(_) | Command::Query(_) => {
                false
            }
            Command::SetLogic(_) => is_kept_logic(command),
            Command::Exit => break,
            _ => true,
        };
        if let (Command::SetLogic(_), true, Some(logic)) = (command, kept, &logic) {
            set_logic(logic, &mut text);
        } else if kept {
            printer.command(command, &mut text);
            text.push('\n');
        }
    }
    text
}

fn set_logic(logic: &str, text: &mut String) {
    text.push_str("(set-logic ");
    quote_symbol(logic, text);
    text.push_str(")\n");
}

/// Returns the logic for a script that names none, for a solver that requires one.
fn logic_for<'t>(store: &Store, commands: &[Command], spelling: &'t TargetSpelling) -> Option<&'t str> {
    let mut whole = Instance::default();
    for command in commands {
        match command {
            Command::Assert(t, _) => whole.assertions.push(*t),
            Command::CheckSatAssuming(assumed) => whole.assertions.extend_from_slice(assumed),
            declaration => whole.declarations.push(declaration.clone()),
        }
    }
    let terms = whole.assertions.clone();
    mutate::preamble::inferred_logic(store, &whole, &terms, spelling)
}

/// Respells another target's script for this one ([`for_solver`]); unchanged if it does not parse. `None` if this version is known to
/// misread it.
pub fn again<'t>(text: &'t str, target: &TestedSolver) -> Option<Cow<'t, str>> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    let text = match parsed.errors.is_empty() {
        true => Cow::Owned(script(&store, &without_tactics(&parsed.script.commands), target)),
        false => Cow::Borrowed(text),
    };
    target.misread(&text).is_none().then_some(text)
}
