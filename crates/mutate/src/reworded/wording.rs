//! The ways to rephrase a script, each of which keeps the problem of every check.

use super::names::other_lets;
use super::names::rename;
use crate::mutators::equal::occurrences;
use crate::rescoped::{AddedBinder, ScopeRules, rescope};
use crate::rng::RandomStream;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::decl::{Func, FuncBody};
use smtlib::free_vars::FreeVars;
use smtlib::printer::LetUse;
use smtlib::{Command, Dialect, Instance, Printer, Script, Store, Symbol, TermId};
use std::fmt;

/// Scripts above this size, in bytes, stay unchanged: rewriting costs more than it gains.
const MAX_BYTES: usize = 1 << 16;
/// The maximum number of occurrences of an assertion that are searched for a term to define.
const MAX_OCCURRENCES: usize = 5_000;
/// The maximum number of definitions of a script.
const MAX_DEFINED: u64 = 4;

/// The maximum number of errors added to a script.
const MAX_ERRORS: u64 = 4;
/// The maximum number of binders added to a script.
const MAX_BINDERS: u64 = 4;

/// A way to rephrase a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wording {
    /// Assertions, and declarations of functions, are reordered within their level.
    Order,
    /// Closed terms get names by `define-fun`.
    Define,
    /// Assertions get names by `:named`.
    Named,
    /// Assertions become assumptions of the check, by the names of definitions.
    Assume,
    /// Levels are opened around assertions, and contradictions are asserted and popped.
    Levels,
    /// Each check of a session is asked from scratch, after `(reset)`.
    Fresh,
    /// Variables have other names, and so do functions that no witness names.
    Names,
    /// No term is bound by `let`, or all are.
    Lets,
    /// Binders get names that something else has, and redundant ones are added.
    Scopes,
    /// Commands that are errors by the standard are added. They change nothing for a solver that goes on.
    Errors,
}

impl Wording {
    /// All of them.
    pub const ALL: [Wording; 10] = [
        Wording::Order,
        Wording::Define,
        Wording::Named,
        Wording::Assume,
        Wording::Levels,
        Wording::Fresh,
        Wording::Names,
        Wording::Lets,
        Wording::Scopes,
        Wording::Errors,
    ];
}

impl fmt::Display for Wording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wording::Order => "order",
            Wording::Define => "define",
            Wording::Named => "named",
            Wording::Assume => "assume",
            Wording::Levels => "levels",
            Wording::Fresh => "fresh",
            Wording::Names => "names",
            Wording::Lets => "lets",
            Wording::Scopes => "scopes",
            Wording::Errors => "errors",
        })
    }
}

/// Which names may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RenamedSymbols {
    /// The names of variables: a witness, which names functions, stays valid.
    Variables,
    /// The names of functions, too.
    All,
}

/// The rules for rephrasing a script.
#[derive(Clone, Copy, Debug)]
pub struct RewordingRules<'d> {
    /// The solver's spelling.
    pub dialect: &'d Dialect,
    /// Whether the solver is known to support sessions, definitions, names and `(reset)`. Otherwise only the order,
    /// names, `let` and scopes change.
    pub takes_commands: bool,
    /// Whether the solver goes on after errors.
    pub takes_errors: bool,
    /// Which names may change.
    pub renamed: RenamedSymbols,
}

/// Rephrases a script in one of the applicable ways, drawn at random, and returns the way. `None` if none applies, the script is
/// too large, or does not parse.
pub fn reword(text: &str, rules: RewordingRules<'_>, rng: &mut RandomStream) -> Option<(String, Wording)> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let (mut store, script) = read(text)?;
    let mut ways = Wording::ALL.to_vec();
    ways.retain(|way| match way {
        Wording::Errors => rules.takes_errors,
        Wording::Order | Wording::Names | Wording::Lets | Wording::Scopes => true,
        _ => rules.takes_commands,
    });
    rng.shuffle(&mut ways);
    ways.into_iter().find_map(|wording| Some((worded(&mut store, &script, wording, rules, rng)?, wording)))
}

/// Rephrases a script of any size in one way. `None` if the way does not apply, or the script does not parse.
pub fn reword_as(text: &str, wording: Wording, rules: RewordingRules<'_>, rng: &mut RandomStream) -> Option<String> {
    let (mut store, script) = read(text)?;
    worded(&mut store, &script, wording, rules, rng)
}

/// Parses a script; `None` if it has errors, or commands with which it stays unchanged.
fn read(text: &str) -> Option<(Store, Script)> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    let commands = &parsed.script.commands;
    // Operators of sets that are arrays have one spelling, regardless of finite sets.
    let stays = commands.iter().any(is_foreign) || smtlib::logic::has_array_sets(&store, commands);
    (parsed.errors.is_empty() && !stays).then_some((store, parsed.script))
}

fn worded(
    store: &mut Store,
    script: &Script,
    wording: Wording,
    rules: RewordingRules<'_>,
    rng: &mut RandomStream,
) -> Option<String> {
    let mut lets = LetUse::default();
    match wording {
        Wording::Names => rename(store, &script.commands, &rules, rng)?,
        Wording::Lets => lets = other_lets(store, &script.commands, rng)?,
        _ => {}
    }
    let commands = written(store, script, wording, rng)?;
    let script = Script { commands };
    let printed = |lets| {
        let mut text = String::new();
        Printer::new(store, rules.dialect).with_lets(lets).script(&script, &mut text);
        text
    };
    let text = printed(lets);
    if wording == Wording::Scopes {
        return rescope(&text, &scope_rules(&text, rules), rng);
    }
    let is_same = lets != LetUse::default() && text == printed(LetUse::default());
    (!is_same).then_some(text)
}

fn scope_rules(text: &str, rules: RewordingRules<'_>) -> ScopeRules {
    let mut all = ScopeRules::of(text, MAX_BINDERS);
    if rules.takes_commands {
        all.binders.extend([AddedBinder::Label, AddedBinder::Definition, AddedBinder::Match]);
        all.takes_any_name = true;
    }
    all
}

/// Whether a script with this command stays unchanged: its meaning is unknown, or depends on preceding commands.
fn is_foreign(command: &Command) -> bool {
    match command {
        Command::Opaque(..) | Command::Extension(..) | Command::Erroneous(_) => true,
        Command::Reset | Command::ResetAssertions => true,
        Command::GetModel | Command::GetValue(_) => true,
        // Some of the ways move formulas into definitions, or below binders.
        Command::DeclareHeap(..) | Command::Rule(..) | Command::Derive(_) => true,
        Command::SetOption(key, _) => &**key == ":global-declarations",
        _ => false,
    }
}

fn written(store: &mut Store, script: &Script, wording: Wording, rng: &mut RandomStream) -> Option<Vec<Command>> {
    match wording {
        Wording::Order => in_order(&script.commands, rng),
        Wording::Define => with_definitions(store, &script.commands, rng),
        Wording::Named => with_names(store, &script.commands, rng),
        Wording::Assume => by_assumptions(store, &script.commands, rng),
        Wording::Levels => in_levels(store, &script.commands, rng),
        Wording::Fresh => from_the_beginning(script),
        Wording::Errors => with_errors(store, &script.commands, rng),
        // Only their text differs.
        Wording::Names | Wording::Lets | Wording::Scopes => Some(script.commands.clone()),
    }
}

/// Shuffles runs of assertions and of function declarations.
fn in_order(commands: &[Command], rng: &mut RandomStream) -> Option<Vec<Command>> {
    let kind = |command: &Command| match command {
        Command::Assert(_, None) => 1,
        Command::DeclareFun(_) => 2,
        _ => 0,
    };
    let mut out: Vec<Command> = Vec::with_capacity(commands.len());
    for run in commands.chunk_by(|a, b| kind(a) != 0 && kind(a) == kind(b)) {
        let from = out.len();
        out.extend_from_slice(run);
        rng.shuffle(&mut out[from..]);
    }
    (out != commands).then_some(out)
}

/// Returns a new function without parameters, defined as a term.
fn defined(store: &mut Store, base: &str, body: TermId, taken: &mut FxHashSet<Symbol>) -> Option<(Command, TermId)> {
    let name = store.fresh_symbol(base, |name| taken.contains(&name));
    taken.insert(name);
    let result = store.sort(body);
    let func = store.declare(Func {
        name,
        params: Box::default(),
        result,
        body: FuncBody::Defined { vars: Box::default(), body },
    });
    let used = store.constant_of(func).ok()?;
    Some((Command::DefineFun(func), used))
}

fn taken(store: &Store) -> FxHashSet<Symbol> {
    let used: Vec<&str> = store.used_names().collect();
    used.into_iter().filter_map(|name| store.symbols.get(name)).collect()
}

/// Returns some closed terms defined right before the assertion in which they occur.
fn with_definitions(store: &mut Store, commands: &[Command], rng: &mut RandomStream) -> Option<Vec<Command>> {
    let mut taken = taken(store);
    let mut left = rng.between(1, MAX_DEFINED);
    let mut out = Vec::with_capacity(commands.len() + 4);
    for command in commands {
        let Command::Assert(term, name) = command else {
            out.push(command.clone());
            continue;
        };
        let mut term = *term;
        if left > 0
            && rng.coin()
            && let Some(part) = closed_part(store, term, rng)
        {
            let (definition, used) = defined(store, "d", part, &mut taken)?;
            term = store.replace(term, &FxHashMap::from_iter([(part, used)]));
            out.push(definition);
            left -= 1;
        }
        out.push(Command::Assert(term, *name));
    }
    (out.len() > commands.len()).then_some(out)
}

/// Returns a term that occurs in another, has arguments and no free variables.
fn closed_part(store: &Store, term: TermId, rng: &mut RandomStream) -> Option<TermId> {
    let mut free = FreeVars::default();
    let mut parts: Vec<TermId> = occurrences(store, term, MAX_OCCURRENCES)?.into_iter().map(|at| at.term).collect();
    parts.retain(|&part| !store.args(part).is_empty() && free.is_closed(store, part));
    rng.pick(&parts).copied()
}

/// Names for some assertions.
fn with_names(store: &mut Store, commands: &[Command], rng: &mut RandomStream) -> Option<Vec<Command>> {
    let mut taken = taken(store);
    let mut out = commands.to_vec();
    for command in &mut out {
        if let Command::Assert(_, name @ None) = command
            && rng.coin()
        {
            let fresh = store.fresh_symbol("a", |name| taken.contains(&name));
            taken.insert(fresh);
            *name = Some(fresh);
        }
    }
    (out != commands).then_some(out)
}

/// Returns some assertions as assumptions of each check at which they are live.
fn by_assumptions(store: &mut Store, commands: &[Command], rng: &mut RandomStream) -> Option<Vec<Command>> {
    let is_plain = |command: &Command| !matches!(command, Command::CheckSatUsing(_));
    if !commands.iter().all(is_plain) {
        return None;
    }
    let mut taken = taken(store);
    let mut levels: Vec<Vec<TermId>> = vec![Vec::new()];
    let mut out = Vec::with_capacity(commands.len());
    for command in commands {
        match command {
            Command::Assert(term, None) if rng.coin() => {
                let (definition, used) = defined(store, "p", *term, &mut taken)?;
                levels.last_mut()?.push(used);
                out.push(definition);
                continue;
            }
            Command::Push(n) => levels.extend((0..*n).map(|_| Vec::new())),
            Command::Pop(n) => levels.truncate(levels.len().checked_sub(*n as usize).filter(|left| *left > 0)?),
            _ => {}
        }
        let live = levels.iter().flatten().copied();
        out.push(match command {
            Command::CheckSat if live.clone().next().is_some() => Command::CheckSatAssuming(live.collect()),
            Command::CheckSatAssuming(own) => Command::CheckSatAssuming(own.iter().copied().chain(live).collect()),
            other => other.clone(),
        });
    }
    (out != commands).then_some(out)
}

/// Levels that stay open, and levels in which the negation of an assertion is asserted and popped.
fn in_levels(store: &mut Store, commands: &[Command], rng: &mut RandomStream) -> Option<Vec<Command>> {
    let has_levels = commands.iter().any(|command| matches!(command, Command::Pop(_) | Command::CheckSatUsing(_)));
    let mut out = Vec::with_capacity(commands.len() + 8);
    for command in commands {
        if let Command::Assert(term, _) = command {
            if rng.percent(30) {
                let contrary = store.not(*term);
                out.extend([Command::Push(1), Command::Assert(contrary, None), Command::Pop(1)]);
            }
            // In a script that closes levels, extra open ones would be closed instead of its own.
            if !has_levels && rng.percent(30) {
                out.push(Command::Push(1));
            }
        }
        out.push(command.clone());
    }
    (out.len() > commands.len()).then_some(out)
}

/// Adds commands that are errors, after the first assertion.
fn with_errors(store: &mut Store, commands: &[Command], rng: &mut RandomStream) -> Option<Vec<Command>> {
    let first = commands.iter().position(|command| matches!(command, Command::Assert(..)))?;
    let taken = taken(store);
    let undeclared = store.fresh_symbol("undeclared", |name| taken.contains(&name));
    // Without a level before it, a declaration stays live.
    let declared: Vec<&Command> = commands[..first]
        .iter()
        .take_while(|command| !matches!(command, Command::Push(_)))
        .filter(|command| matches!(command, Command::DeclareFun(_)))
        .collect();
    let mut out = commands.to_vec();
    for _ in 0..rng.between(1, MAX_ERRORS) {
        let text = match rng.below(5) {
            0 => format!("(assert {})", store.name(undeclared)),
            1 => "(assert (not #b1))".to_string(),
            2 => "(pop 1000000)".to_string(),
            3 => "(set-option :produce-models maybe)".to_string(),
            _ => {
                let again = Script { commands: vec![(*rng.pick(&declared)?).clone()] };
                store.script_text(&again).trim_end().to_string()
            }
        };
        let at = first + 1 + rng.index(out.len() - first);
        out.insert(at, Command::Erroneous(text.into()));
    }
    Some(out)
}

/// Returns the checks of a session, each after a reset and with all live commands.
fn from_the_beginning(script: &Script) -> Option<Vec<Command>> {
    let checks: Vec<&Command> = script.commands.iter().filter(|command| command.is_check()).collect();
    let instances = script.instances();
    if checks.len() < 2 || instances.len() != checks.len() || instances.iter().any(|instance| instance.incomplete) {
        return None;
    }
    let mut out = Vec::new();
    for (n, (instance, check)) in instances.into_iter().zip(checks).enumerate() {
        let Instance { logic, options, declarations, assertions, .. } = instance;
        out.extend((n > 0).then_some(Command::Reset));
        // Some options must precede the logic.
        out.extend(options);
        out.extend(logic.map(Command::SetLogic));
        out.extend(declarations);
        out.extend(assertions.into_iter().map(|term| Command::Assert(term, None)));
        // The assumptions are the last assertions.
        out.push(if let Command::CheckSatUsing(_) = check { check.clone() } else { Command::CheckSat });
    }
    Some(out)
}
