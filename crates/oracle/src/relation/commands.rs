//! Scripts as commands sorted by effect, without parsing their terms: all that relations between two scripts need.
//!
//! Invariant: a script with a command of unknown effect on checks is not read at all. So objectives, soft constraints, tactics, resets,
//! z3's rules and queries, and SyGuS have no relations.

use crate::exhaustion;
use smtlib::sexpr::{ItemKind, Sexprs, head, items};
use smtlib::{Dialect, Store, sexpr};
use solver::outcome::SolverOutcome;
use solver::session::SessionNeeds;
use std::borrow::Cow;

/// The maximum size of a script that has relations, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// What a command does to the checks after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CommandRole {
    /// The command sets the logic or an option.
    Setting,
    /// The command declares or defines a symbol.
    Declaration,
    /// The command asserts a formula.
    Assertion,
    /// The command opens this number of levels, or closes them where it is negative.
    Levels(i64),
    /// The command is a check, perhaps under assumptions.
    Check,
    /// The command asks or prints something, and changes nothing.
    Question,
    /// Nothing after it is read.
    Exit,
}

/// A script as a list of commands.
#[derive(Clone, Debug)]
pub(super) struct CommandList<'t> {
    commands: Vec<(CommandRole, &'t str)>,
}

/// The problem of one check, without levels and assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FlatScript<'t> {
    /// The commands that set the logic and options.
    pub(super) settings: Vec<&'t str>,
    /// Declarations and assertions, in order.
    pub(super) live: Vec<LiveCommand<'t>>,
}

/// A declaration or an assertion that is live at a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LiveCommand<'t> {
    /// A whole declaration.
    Declared(&'t str),
    /// An asserted or assumed term.
    Asserted(&'t str),
}

/// A script to ask, and which of its checks counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelatedScript {
    /// The text.
    pub text: String,
    /// The check, from 0.
    pub check: usize,
}

/// The source of a second script.
#[derive(Clone, Copy, Debug)]
pub(super) struct SecondScript<'d> {
    /// The text from which both scripts are derived.
    pub(super) text: &'d str,
    /// The number that was drawn.
    pub(super) draw: u64,
    /// The result of the first script, if it was asked.
    pub(super) first: Option<&'d SolverOutcome>,
    /// The solver.
    pub(super) target: RelationTarget<'d>,
}

/// What the second script must suit.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelationTarget<'d> {
    /// The solver's spelling.
    pub(super) dialect: &'d Dialect,
    /// Whether the solver is known to support sessions, definitions, names and resets.
    pub(super) takes_commands: bool,
}

impl RelatedScript {
    /// Returns the features requested from a solver, besides `purpose`.
    pub fn needs(&self, purpose: SessionNeeds) -> SessionNeeds {
        purpose | SessionNeeds::of_script(self.check + 1, &self.text)
    }
}

impl<'t> CommandList<'t> {
    /// Reads the commands of a text. `None` if one is unknown, a setting follows what it may change, a recursive definition is not proven
    /// total (solvers interpret those differently), or the text is too large.
    pub(super) fn read(text: &'t str) -> Option<CommandList<'t>> {
        // A mark belongs to the command after it.
        if text.len() > MAX_BYTES || text.contains(smtlib::ERROR_NEXT) {
            return None;
        }
        let mut commands = Vec::new();
        let (mut has_begun, mut is_recursive) = (false, false);
        for item in items(text) {
            let command = text.get(item.span)?;
            if item.kind != ItemKind::List {
                return None;
            }
            let role = role(command)?;
            match role {
                CommandRole::Setting if has_begun => return None,
                CommandRole::Setting | CommandRole::Question => {}
                CommandRole::Exit => break,
                _ => has_begun = true,
            }
            is_recursive |= matches!(head(command), "define-fun-rec" | "define-funs-rec");
            commands.push((role, command));
        }
        let checks = commands.iter().filter(|(role, _)| *role == CommandRole::Check).count();
        let is_open = is_recursive
            && (!smtlib::parse(&mut Store::new(), text).errors.is_empty()
                || (0..checks).any(|check| exhaustion::unproven(text, check).is_some()));
        (checks > 0 && !is_open).then_some(CommandList { commands })
    }

    /// Returns the number of checks.
    pub(super) fn checks(&self) -> usize {
        self.commands.iter().filter(|(role, _)| *role == CommandRole::Check).count()
    }

    /// Returns the text up to a check, without commands that only ask.
    pub(super) fn up_to(&self, check: usize) -> String {
        let mut left = check + 1;
        let mut text = String::new();
        for (role, command) in &self.commands {
            if *role != CommandRole::Question {
                text.push_str(command);
                text.push('\n');
            }
            left -= usize::from(*role == CommandRole::Check);
            if left == 0 {
                break;
            }
        }
        text
    }

    /// Whether levels, assumptions or other checks precede a check.
    pub(super) fn is_session(&self) -> bool {
        let is_levels = |(role, command): &(CommandRole, &str)| {
            matches!(role, CommandRole::Levels(_)) || head(command) == "check-sat-assuming"
        };
        self.checks() > 1 || self.commands.iter().any(is_levels)
    }

    /// Returns the problem of the check with this number, from 0. `None` if there is none, or more levels are closed
    /// than are open.
    pub(super) fn flat(&self, check: usize) -> Option<FlatScript<'t>> {
        let mut flat = FlatScript { settings: Vec::new(), live: Vec::new() };
        let mut levels: Vec<usize> = Vec::new();
        let mut left = check;
        for (role, command) in &self.commands {
            match role {
                CommandRole::Setting => flat.settings.push(command),
                CommandRole::Declaration => flat.live.push(LiveCommand::Declared(command)),
                CommandRole::Assertion => flat.live.push(LiveCommand::Asserted(only_argument(command)?)),
                CommandRole::Levels(by) if *by >= 0 => {
                    levels.extend(std::iter::repeat_n(flat.live.len(), usize::try_from(*by).ok()?));
                }
                CommandRole::Levels(by) => {
                    for _ in 0..by.unsigned_abs() {
                        flat.live.truncate(levels.pop()?);
                    }
                }
                CommandRole::Check if left > 0 => left -= 1,
                CommandRole::Check => {
                    flat.live.extend(assumptions(command)?.into_iter().map(LiveCommand::Asserted));
                    return Some(flat);
                }
                CommandRole::Question | CommandRole::Exit => {}
            }
        }
        None
    }
}

impl<'t> FlatScript<'t> {
    /// Returns the script with its check.
    pub(super) fn text(&self) -> String {
        self.begin(&self.live) + "(check-sat)\n"
    }

    /// Prints the settings and some commands, without a check.
    pub(super) fn begin(&self, live: &[LiveCommand<'_>]) -> String {
        let mut text = self.settings.join("\n");
        text.push('\n');
        live.iter().for_each(|command| text.push_str(&command.text()));
        text
    }

    /// Returns the assertions.
    pub(super) fn asserted(&self) -> Vec<&'t str> {
        let asserted = |command: &LiveCommand<'t>| match command {
            LiveCommand::Asserted(term) => Some(*term),
            LiveCommand::Declared(_) => None,
        };
        self.live.iter().filter_map(asserted).collect()
    }

    /// Returns the declarations, in order.
    pub(super) fn declared(&self) -> Vec<LiveCommand<'t>> {
        self.live.iter().filter(|command| matches!(command, LiveCommand::Declared(_))).cloned().collect()
    }
}

impl LiveCommand<'_> {
    /// Returns the command with its line end.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match self {
            LiveCommand::Declared(command) => format!("{command}\n").into(),
            LiveCommand::Asserted(term) => format!("(assert {term})\n").into(),
        }
    }
}

/// Strips a term's top-level attributes, such as `:named`. `None` if a name may occur deeper in it.
pub(super) fn unnamed(term: &str) -> Option<&str> {
    let body = match sexpr::head(term) {
        "!" => nth(term, 1)?,
        _ => term,
    };
    (!body.contains(":named")).then_some(body)
}

/// Returns the element of a list with this number, from 0.
pub(super) fn nth(list: &str, number: usize) -> Option<&str> {
    let inner = list.strip_prefix('(')?.strip_suffix(')')?;
    items(inner).nth(number).map(|item| &inner[item.span])
}

/// Returns a symbol with this prefix that does not occur in a text, whatever number is appended.
pub(super) fn unused(text: &str, base: &str) -> String {
    let mut name = base.to_string();
    while text.contains(&name) {
        name.push('_');
    }
    name
}

fn role(command: &str) -> Option<CommandRole> {
    let role = match head(command) {
        "set-logic" if nth(command, 1) != Some("HORN") => CommandRole::Setting,
        // Declarations on a level may outlive it or not, and questions print more than answers.
        "set-option" if !command.contains(":global-decl") && !command.contains(":print-success") => {
            CommandRole::Setting
        }
        "declare-const"
        | "declare-fun"
        | "declare-sort"
        | "declare-datatype"
        | "declare-datatypes"
        | "declare-codatatype"
        | "declare-codatatypes"
        | "declare-sort-parameter"
        | "declare-heap"
        | "define-const"
        | "define-fun"
        | "define-fun-rec"
        | "define-funs-rec"
        | "define-sort" => CommandRole::Declaration,
        "assert" => CommandRole::Assertion,
        "push" => CommandRole::Levels(i64::from(levels(command)?)),
        "pop" => CommandRole::Levels(-i64::from(levels(command)?)),
        "check-sat" | "check-sat-assuming" => CommandRole::Check,
        "set-info"
        | "echo"
        | "get-assertions"
        | "get-assignment"
        | "get-info"
        | "get-model"
        | "get-option"
        | "get-proof"
        | "get-unsat-assumptions"
        | "get-unsat-core"
        | "get-value" => CommandRole::Question,
        "exit" => CommandRole::Exit,
        _ => return None,
    };
    Some(role)
}

/// Returns how many levels a command opens or closes; `None` for absurdly many.
fn levels(command: &str) -> Option<u16> {
    nth(command, 1).map_or(Some(1), |number| number.parse().ok())
}

fn only_argument(command: &str) -> Option<&str> {
    nth(command, 2).is_none().then(|| nth(command, 1)).flatten()
}

fn assumptions(check: &str) -> Option<Vec<&str>> {
    if head(check) != "check-sat-assuming" {
        return Some(Vec::new());
    }
    let list = nth(check, 1)?;
    let all = Sexprs::read(list);
    let top = all.top().next()?;
    let at = |node| list.get(all.span(node));
    all.is_list(top).then(|| all.children(top).filter_map(at).collect())
}
