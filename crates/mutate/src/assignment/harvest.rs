//! Values taken from the formula itself: its constants, and the values of its terms.

use crate::assignment::{ValueGenerator, limits, special};
use crate::rng::RandomStream;
use semantics::{Evaluator, Interpretation, Model, Value};
use smtlib::term::HAS_VARIABLE;
use smtlib::{FuncId, Kind, Store, TermId};

/// The maximum number of subterms examined.
const MAX_TERMS: usize = 20_000;
/// Rows one function gets from the formula's applications, at most.
const MAX_ROWS: usize = 64;

/// Returns a generator that knows the values of all subterms without symbols, literals first among them.
pub(crate) fn constants(store: &Store, candidates: &[TermId]) -> ValueGenerator {
    let mut generator = ValueGenerator::default();
    let mut evaluator = Evaluator::new(Model::new(), limits());
    for t in subterms(store, candidates) {
        // Under the empty model only terms without symbols have a value.
        if !store.is_bool(t)
            && let Ok(value) = evaluator.eval(store, t)
            && value.is_exact()
        {
            generator.add(store.sort(t), &value);
        }
    }
    generator
}

/// Changes a random model so that atoms differ in value: symbols get the values of the terms they are compared with, or
/// neighbouring ones, and functions get a row per list of arguments.
pub(super) fn meet(
    store: &mut Store,
    mut generator: ValueGenerator,
    candidates: &[TermId],
    symbols: &[FuncId],
    rng: &mut RandomStream,
) -> Model {
    let mut evaluator = Evaluator::new(generator.model.clone(), limits());
    // Functions that may be changed: the seed's own, each constant once.
    let mut free = vec![false; store.func_count()];
    symbols.iter().for_each(|f| free[f.index()] = true);
    for t in subterms(store, candidates) {
        if let Some(f) = store.applied(t).filter(|f| !store.args(t).is_empty() && free[f.index()]) {
            let args: Result<Vec<Value>, _> =
                store.args(t).to_vec().iter().map(|&a| evaluator.eval(store, a)).collect();
            if let Ok(args) = args {
                let result = store.func(f).result;
                row(store, &mut generator, f, args, result, rng);
            }
            continue;
        }
        let &[a, b] = store.args(t) else { continue };
        if !store.is_bool(t) || store.sort(a) != store.sort(b) || store.kind(t) == Kind::Apply || rng.coin() {
            continue;
        }
        for (symbol, term) in [(a, b), (b, a)] {
            let Some(f) = store.applied(symbol).filter(|f| free[f.index()]) else { continue };
            if let (true, Ok(value)) = (store.args(symbol).is_empty(), evaluator.eval(store, term)) {
                let value = special::neighbour(&value, rng);
                if generator.model.assign(store, f, value).is_ok() {
                    free[f.index()] = false;
                }
                break;
            }
        }
    }
    generator.model
}

/// Gives a function with a table a row at `args`, unless it has one or enough.
fn row(
    store: &mut Store,
    generator: &mut ValueGenerator,
    f: FuncId,
    args: Vec<Value>,
    result: smtlib::SortId,
    rng: &mut RandomStream,
) {
    let Some(Interpretation::Table(table)) = generator.model.interpretation(f) else { return };
    if table.len() >= MAX_ROWS || table.get(&args) != table.default_value() {
        return;
    }
    let mut table = table.clone();
    if let Some(value) = generator.value(store, result, rng)
        && table.insert(args.into(), value)
    {
        // The row fits by construction; if the table is refused, the old one stays.
        let _ = generator.model.assign_table(store, f, table);
    }
}

/// Returns the subterms of the candidates without bound variables, children first.
fn subterms(store: &Store, candidates: &[TermId]) -> Vec<TermId> {
    let mut seen = vec![false; store.len()];
    let mut stack = candidates.to_vec();
    let mut found = Vec::new();
    while let Some(t) = stack.pop() {
        if std::mem::replace(&mut seen[t.index()], true) || found.len() >= MAX_TERMS {
            continue;
        }
        if store.flags(t) & HAS_VARIABLE == 0 {
            found.push(t);
        }
        stack.extend_from_slice(store.args(t));
    }
    // Children come before parents in a store.
    found.sort_unstable();
    found
}
