//! The proof of a law at small sizes, by exhaustion: every assignment of its variables, under every choice of what the standard leaves
//! open.
//!
//! A variable of an infinite sort ranges over a list of values, and a regular expression over a list of expressions whose languages
//! are compared on a list of words: there the law is tested, not proven.

use super::binding::LawBindings;
use super::law::{Law, LawIndex, LawSort};
use crate::small_values::{self, ValueAmount, assignment_text, confined, constant, equation};
use crate::small_world::{CheckTruth, decide_terms};
use semantics::EvalLimits;
use semantics::truth::ExhaustLimits;
use smtlib::{SortId, Store, TermId};

/// The limits of one instance.
const LIMITS: ExhaustLimits = ExhaustLimits {
    assignments: 1 << 15,
    values: 1 << 10,
    evaluations: 1 << 15,
    steps: u64::MAX,
    each: EvalLimits { steps: 1 << 14, memory: 1 << 22, regex_steps: 1 << 14, ..crate::small_world::LIMITS.each },
};

/// The maximum width of bit-vectors in proofs, and the maximum position.
const MAX_WIDTH: u32 = 4;
/// The maximum number of bits of an exponent or significand in proofs.
const MAX_FORMAT: u32 = 3;
/// The maximum number of instances of one law that are proven, and tried.
const MAX_INSTANCES: u32 = 400;
const MOST_TRIED: usize = 2000;

/// Why a law is not used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LawFault {
    /// The law does not hold.
    #[error("the law does not hold: {left} is not {right}{sizes}{values}")]
    Refuted {
        /// The one side.
        left: String,
        /// The other side.
        right: String,
        /// The values of the parameters.
        sizes: String,
        /// The values of the variables.
        values: String,
    },
    /// No instance of it was decided.
    #[error("no small instance of the law can be decided, so nothing shows that it holds: {0}")]
    Undecided(String),
    /// The law has no well-sorted instance.
    #[error("the law has no well-sorted instance: its sides must be of one sort at some small width and format")]
    IllSorted,
}

/// Decides the small instances of a law; returns how many were proven.
/// Errors: [`LawFault`] if one is refuted, or none is decided.
pub fn prove(law: &Law) -> Result<u32, LawFault> {
    let (mut proven, mut open) = (0, None);
    for start in instances(law) {
        if proven >= MAX_INSTANCES {
            break;
        }
        let mut store = Store::new();
        let mut bindings = start;
        bindings.sorts = sorts(&mut store, &bindings.sorts);
        let Some(expressions) = declare(&mut store, law, &mut bindings) else { continue };
        for bindings in with_expressions(&mut store, law, &bindings, &expressions) {
            match decide_instance(&mut store, law, &bindings)? {
                Some(Ok(())) => proven += 1,
                Some(Err(why)) => open = Some(why),
                None => {}
            }
        }
    }
    match (proven, open) {
        (0, Some(why)) => Err(LawFault::Undecided(why)),
        (0, None) => Err(LawFault::IllSorted),
        _ => Ok(proven),
    }
}

/// Decides one instance: `None` if it is not well-sorted, an error in words if it stays open.
fn decide_instance(
    store: &mut Store,
    law: &Law,
    bindings: &LawBindings,
) -> Result<Option<Result<(), String>>, LawFault> {
    let sides = law.sides.each_ref().map(|side| bindings.build(store, side));
    let [Some(left), Some(right)] = sides else { return Ok(None) };
    let constants: Vec<TermId> = bindings.terms.iter().copied().flatten().collect();
    let infinite = constants.iter().filter(|&&t| matches!(store.sort(t), SortId::INT | SortId::REAL | SortId::STRING));
    let amount = if infinite.count() > 2 { ValueAmount::Some } else { ValueAmount::Many };
    let mut assertions = confined(store, &constants, amount);
    let Some(equal) = equation(store, [left, right], &mut assertions) else { return Ok(None) };
    assertions.push(store.not(equal));
    Ok(Some(match decide_terms(store, &assertions, &LIMITS) {
        Ok(CheckTruth::Unsat(_)) => Ok(()),
        Ok(CheckTruth::Sat(model)) => {
            let [left, right] = [left, right].map(|t| store.term_text(t));
            let sizes = sizes(store, law, bindings);
            return Err(LawFault::Refuted { left, right, sizes, values: assignment_text(store, &model) });
        }
        Err(why) => Err(why.to_string()),
    }))
}

/// Returns the parameters of the small instances; sort parameters are only numbered here.
fn instances(law: &Law) -> Vec<LawBindings> {
    let mut all = vec![LawBindings::of(law)];
    for n in 0..law.indices.len() {
        let range = range(law, n);
        all = all
            .into_iter()
            .flat_map(|bindings| {
                range.clone().map(move |value| {
                    let mut next = bindings.clone();
                    next.indices[n] = Some(value);
                    next
                })
            })
            .collect();
        all.truncate(MOST_TRIED);
    }
    for n in 0..law.sorts.len() {
        let both = |bindings: LawBindings| {
            [SortId::BOOL, SortId::INT].map(|sort| {
                let mut next = bindings.clone();
                next.sorts[n] = Some(sort);
                next
            })
        };
        all = all.into_iter().flat_map(both).collect();
    }
    all.truncate(MOST_TRIED);
    all
}

/// A sort parameter is `Bool` or a bit-vector of two bits.
fn sorts(store: &mut Store, numbered: &[Option<SortId>]) -> Vec<Option<SortId>> {
    let bits = store.sorts.bitvec(2);
    numbered.iter().map(|sort| sort.map(|s| if s == SortId::BOOL { s } else { bits })).collect()
}

/// Returns the values that an index parameter takes.
fn range(law: &Law, parameter: usize) -> std::ops::RangeInclusive<u32> {
    let has = |index: &LawIndex| index.parts.iter().any(|p| p.1 == parameter);
    let (mut width, mut format) = (false, false);
    for (_, sort) in &law.variables {
        match sort {
            LawSort::BitVec(index) => width |= has(index),
            LawSort::Float(e, s) => format |= has(e) || has(s),
            _ => {}
        }
    }
    match (format, width) {
        (true, _) => 2..=MAX_FORMAT,
        (_, true) => 1..=MAX_WIDTH,
        _ => 0..=MAX_WIDTH,
    }
}

/// Binds the variables to declared constants; returns the numbers of those for regular expressions.
fn declare(store: &mut Store, law: &Law, bindings: &mut LawBindings) -> Option<Vec<usize>> {
    let mut expressions = Vec::new();
    for (n, (name, sort)) in law.variables.iter().enumerate() {
        let sort = bindings.sort(store, sort)?;
        if sort == SortId::REGLAN {
            expressions.push(n);
            continue;
        }
        let t = constant(store, name, sort)?;
        bindings.terms[n] = Some(t);
    }
    Some(expressions)
}

/// Returns the instances with every regular expression of the list for every variable of that sort.
fn with_expressions(store: &mut Store, law: &Law, bindings: &LawBindings, expressions: &[usize]) -> Vec<LawBindings> {
    let list = small_values::expressions(store, expressions.len() > 2);
    let mut all = vec![bindings.clone()];
    for &n in expressions {
        debug_assert!(n < law.variables.len());
        let each = |bindings: LawBindings| {
            let list = &list;
            list.iter()
                .map(move |&t| {
                    let mut next = bindings.clone();
                    next.terms[n] = Some(t);
                    next
                })
                .collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(each).collect();
        all.truncate(MOST_TRIED);
    }
    all
}

/// Returns the values of the parameters, as ` where m = 2, A = Bool`; nothing where there is none.
fn sizes(store: &Store, law: &Law, bindings: &LawBindings) -> String {
    let indices = law.indices.iter().zip(&bindings.indices).filter_map(|(name, i)| Some(format!("{name} = {}", (*i)?)));
    let sorts = law.sorts.iter().zip(&bindings.sorts);
    let sorts = sorts.filter_map(|(name, sort)| Some(format!("{name} = {}", store.sort_text((*sort)?))));
    let list: Vec<String> = indices.chain(sorts).collect();
    if list.is_empty() { String::new() } else { format!(" where {}", list.join(", ")) }
}
