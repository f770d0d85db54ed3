//! The expressions of a seed by sort, each with context-independent text.

use crate::assignment::ValueGenerator;
use crate::edit::SeedFormula;
use crate::rng::RandomStream;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::free_vars::FreeVars;
use smtlib::{Dialect, Printer, Sort, SortId, Store, Symbol, TermId};

/// The maximum number of expressions kept per sort.
const MAX_OPERANDS: usize = 400;
/// The maximum length of a kept expression's text, in bytes.
const MAX_TEXT: usize = 2000;
/// The maximum number of bytes of expressions reprinted because of their `let`s.
const MAX_PRINTED: usize = 1 << 19;
/// Random values of each sort that are added to the seed's own expressions.
const VALUES: usize = 4;

/// Bound variables with their sorts.
pub type Variables = Box<[(Symbol, SortId)]>;

/// An expression for new terms.
#[derive(Clone, Debug)]
pub struct PoolOperand {
    /// The expression.
    pub term: TermId,
    /// Its text, which means the same anywhere under the binders of its free variables.
    pub text: Box<str>,
    /// Its free variables with their sorts; it can be used only where they are bound.
    pub free: Variables,
}

/// The expressions by sort.
pub type Operands = FxHashMap<SortId, Vec<PoolOperand>>;

/// Collects the expressions of a formula and a few random values.
pub fn operands(store: &mut Store, formula: &SeedFormula, dialect: &Dialect, rng: &mut RandomStream) -> Operands {
    let mut operands = Operands::default();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut free = FreeVars::default();
    let mut unprinted: Vec<(TermId, Variables)> = Vec::new();
    for line in &formula.lines {
        let Some(tree) = line.tree() else { continue };
        for (number, place) in tree.places().iter().enumerate() {
            if place.is_reference || place.frozen || !seen.insert(place.term) || !is_kept(store, store.sort(place.term))
            {
                continue;
            }
            let names = free.of(store, place.term);
            let scope = tree.scope(number as u32);
            let bound = |&v: &Symbol| scope.iter().find(|s| s.0 == v).copied();
            // A variable of unknown sort, such as a parametric datatype's field, excludes it.
            let Some(variables) = names.iter().map(bound).collect::<Option<Variables>>() else { continue };
            let (start, end) = place.span;
            if place.needs_context {
                unprinted.push((place.term, variables));
            } else if (end - start) as usize <= MAX_TEXT {
                let text = tree.text()[start as usize..end as usize].into();
                insert(&mut operands, store, PoolOperand { term: place.term, text, free: variables });
            }
        }
    }
    let values = values(store, &operands, rng);
    let mut printer = Printer::new(store, dialect);
    let mut printed = 0;
    for (term, variables) in unprinted.into_iter().chain(values.into_iter().map(|t| (t, Box::default()))) {
        if printed > MAX_PRINTED {
            break;
        }
        let mut text = String::new();
        printer.term(term, &mut text);
        printed += text.len();
        if text.len() <= MAX_TEXT {
            insert(&mut operands, store, PoolOperand { term, text: text.into(), free: variables });
        }
    }
    operands
}

fn insert(operands: &mut Operands, store: &Store, operand: PoolOperand) {
    let list = operands.entry(store.sort(operand.term)).or_default();
    if list.len() < MAX_OPERANDS {
        list.push(operand);
    }
}

fn is_kept(store: &Store, sort: SortId) -> bool {
    !store.sorts.has_parameter(sort)
        && !matches!(store.sorts.get(sort), Sort::Map(..) | Sort::Extension(..) | Sort::Parameter(_))
}

/// Returns a few random values of each sort that has literals.
fn values(store: &mut Store, operands: &Operands, rng: &mut RandomStream) -> Vec<TermId> {
    // The order of a hash table must not influence draws.
    let mut sorts: Vec<SortId> = operands.keys().copied().collect();
    sorts.sort_unstable();
    let known = |sort: SortId, t: TermId| operands[&sort].iter().any(|o| o.term == t);
    let mut generator = ValueGenerator::default();
    let mut found = Vec::new();
    for sort in sorts {
        let simple = matches!(
            store.sorts.get(sort),
            Sort::Bool
                | Sort::Int
                | Sort::Real
                | Sort::BitVec(_)
                | Sort::FiniteField(_)
                | Sort::Float { .. }
                | Sort::RoundingMode
                | Sort::String
        );
        for _ in 0..if simple { VALUES } else { 0 } {
            let Some(value) = generator.value(store, sort, rng) else { continue };
            if let Some(t) = value.to_term(store, sort)
                && !found.contains(&t)
                && !known(sort, t)
            {
                found.push(t);
            }
        }
    }
    found
}
