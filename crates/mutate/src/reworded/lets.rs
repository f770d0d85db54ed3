//! Another use of `let` than the printer's: none at all, or for every term with arguments.

use crate::rng::RandomStream;
use rustc_hash::FxHashMap;
use smtlib::printer::LetUse;
use smtlib::{Command, FuncId, Store, TermId};

/// The most symbols of a script that is written without `let`.
const MAX_SYMBOLS: u64 = 5_000;

/// How these commands may be written; none where neither way is possible.
pub(super) fn other_lets(store: &Store, commands: &[Command], rng: &mut RandomStream) -> Option<LetUse> {
    let roots = roots(store, commands);
    let mut terms = roots.clone();
    let mut reached: FxHashMap<TermId, u64> = FxHashMap::default();
    while let Some(term) = terms.pop() {
        if reached.insert(term, 0).is_none() {
            terms.extend_from_slice(store.args(term));
        }
    }
    // Arguments are made before what they are in.
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
    // Solvers take no `let` within a pattern.
    let always = (!roots.is_empty() && !has_patterns).then_some(LetUse::Always);
    if rng.coin() { always.or(never) } else { never.or(always) }
}

/// The terms of the commands that state something.
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
