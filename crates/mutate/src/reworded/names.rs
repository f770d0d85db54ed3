//! Other names for the variables and functions of a script, and another use of `let`.

use super::wording::{RenamedSymbols, RewordingRules};
use crate::rng::RandomStream;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::printer::LetUse;
use smtlib::{Command, FuncId, Store, Symbol, TermId};

/// Makes names from numbers. Solvers introduce names like the second to fourth themselves, and the last two need bars.
const STYLES: [fn(u64) -> String; 6] = [
    |n| format!("v{n}"),
    |n| format!("x!{n}"),
    |n| format!("k!{n}"),
    |n| format!("sk_{n}"),
    |n| format!("{n} of"),
    |n| format!("{n}"),
];

/// The maximum number of symbols of a script written without `let`.
const MAX_SYMBOLS: u64 = 5_000;

/// Gives some variables, and functions if these may change, fresh names. `None` if nothing may change.
pub(super) fn rename(
    store: &mut Store,
    commands: &[Command],
    rules: &RewordingRules<'_>,
    rng: &mut RandomStream,
) -> Option<()> {
    let functions: FxHashSet<Symbol> = store.function_names().collect();
    // A witness names sorts, too.
    let sorts: FxHashSet<Symbol> = commands.iter().flat_map(|command| sort_names(store, command)).collect();
    let is_variable = |name: &Symbol| !functions.contains(name) && !sorts.contains(name);
    let mut symbols: Vec<Symbol> = store.variable_names().filter(is_variable).collect();
    if rules.renamed == RenamedSymbols::All {
        symbols.extend(functions);
    }
    // A logic is a symbol, too.
    let logics = commands.iter().filter_map(|command| match command {
        Command::SetLogic(logic) => Some(*logic),
        _ => None,
    });
    let logics: FxHashSet<Symbol> = logics.collect();
    let built_in: FxHashSet<Symbol> = store.built_in_names().collect();
    symbols.retain(|&symbol| !logics.contains(&symbol) && !built_in.contains(&symbol) && !store.is_of_theory(symbol));
    symbols.sort_unstable();
    symbols.dedup();
    // A solver in development may not support bars.
    let known = if rules.takes_commands { STYLES.len() } else { 1 };
    let mut spellings = FxHashMap::default();
    let (mut number, style) = (rng.below(10), rng.pick(&STYLES[..known])?);
    // The order of names changes, too.
    rng.shuffle(&mut symbols);
    for symbol in symbols {
        if rng.percent(20) {
            continue;
        }
        while store.symbols.get(&style(number)).is_some() {
            number += 1;
        }
        spellings.insert(symbol, style(number));
        number += 1;
    }
    if spellings.is_empty() {
        return None;
    }
    store.symbols = store.symbols.renamed(&spellings)?;
    Some(())
}

/// Returns the names of the sorts that a command declares.
fn sort_names(store: &Store, command: &Command) -> Vec<Symbol> {
    match command {
        Command::DeclareSort(name, _) | Command::DefineSort(name, ..) => vec![*name],
        Command::DeclareDatatypes(first, _) => store.datatype_group(*first).map(|d| store.datatype(d).name).collect(),
        _ => Vec::new(),
    }
}

/// How these commands may use `let`; `None` if neither way is possible.
pub(super) fn other_lets(store: &Store, commands: &[Command], rng: &mut RandomStream) -> Option<LetUse> {
    let roots = roots(store, commands);
    let mut terms = roots.clone();
    let mut reached: FxHashMap<TermId, u64> = FxHashMap::default();
    while let Some(term) = terms.pop() {
        if reached.insert(term, 0).is_none() {
            terms.extend_from_slice(store.args(term));
        }
    }
    // A term's arguments are made before the term.
    let mut order: Vec<TermId> = reached.keys().copied().collect();
    order.sort_unstable();
    for &term in &order {
        let size = store.args(term).iter().map(|arg| reached.get(arg).copied().unwrap_or(1));
        let size = size.fold(1, u64::saturating_add);
        reached.insert(term, size);
    }
    let size = roots.iter().map(|root| reached.get(root).copied().unwrap_or(1));
    let never = (size.fold(0, u64::saturating_add) <= MAX_SYMBOLS).then_some(LetUse::Never);
    let has_patterns = order.iter().any(|&term| has_patterns(store, term));
    // Solvers accept no `let` within a pattern.
    let always = (!roots.is_empty() && !has_patterns).then_some(LetUse::Always);
    if rng.coin() { always.or(never) } else { never.or(always) }
}

/// Returns the terms of assertions and definitions.
fn roots(store: &Store, commands: &[Command]) -> Vec<TermId> {
    let body = |func: &FuncId| Some(store.func(*func).definition()?.1);
    let terms = |command: &Command| -> Vec<TermId> {
        match command {
            Command::Assert(term, _) => vec![*term],
            Command::DefineFun(func) => body(func).into_iter().collect(),
            Command::DefineFunsRec(funcs) => funcs.iter().filter_map(body).collect(),
            _ => Vec::new(),
        }
    };
    commands.iter().flat_map(terms).collect()
}

fn has_patterns(store: &Store, term: TermId) -> bool {
    let binder = store.op(term).binder().map(|binder| store.binder(binder));
    binder.is_some_and(|binder| !binder.patterns.is_empty() || binder.no_patterns > 0)
}
