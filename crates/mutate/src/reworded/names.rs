//! Other names for the variables and functions of a script.

use super::wording::{RenamedSymbols, RewordingRules};
use crate::rng::RandomStream;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Command, Store, Symbol};

/// How names are made of numbers. Solvers make names such as the second to fourth themselves, and the last two need bars.
const STYLES: [fn(u64) -> String; 6] = [
    |n| format!("v{n}"),
    |n| format!("x!{n}"),
    |n| format!("k!{n}"),
    |n| format!("sk_{n}"),
    |n| format!("{n} of"),
    |n| format!("{n}"),
];

/// Gives some variables, and functions if these may change, names that the store does not have. None where nothing may change.
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
    symbols.retain(|symbol| !logics.contains(symbol));
    symbols.sort_unstable();
    symbols.dedup();
    // A young solver may not know bars.
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

/// The names of the sorts that a command declares.
fn sort_names(store: &Store, command: &Command) -> Vec<Symbol> {
    match command {
        Command::DeclareSort(name, _) | Command::DefineSort(name, ..) => vec![*name],
        Command::DeclareDatatypes(first, _) => store.datatype_group(*first).map(|d| store.datatype(d).name).collect(),
        _ => Vec::new(),
    }
}
