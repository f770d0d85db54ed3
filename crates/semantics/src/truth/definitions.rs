//! Recursive definitions that are not proven total, read as in the standard: as assertions over all their parameters.
//!
//! Every interpretation that satisfies a definition satisfies its instances, so instances may refute. They never show that there
//! is an interpretation.

use super::known::{CheckRefutation, CheckTruth};
use super::{Search, TruthQuery, instances, of_world};
use crate::cardinality::Cardinality;
use crate::domain::Domains;
use crate::exhaust::{ExhaustLimits, World};
use crate::model::Model;
use crate::symbols::mentioned_deeply;
use crate::totality::Recursion;
use crate::value::Value;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;

use smtlib::{Binder, FuncId, Kind, Op, SortId, Store, TermId};
use std::sync::Arc;

/// The maximum number of evaluations per search, and of steps in all of them.
const EVALUATIONS: u64 = 1 << 12;
const STEPS: u64 = 1 << 24;

/// Refutes assertions together with the definitions of live functions.
pub(super) fn refute(
    store: &mut Store,
    assertions: &[TermId],
    unproven: &[FuncId],
    query: TruthQuery<'_>,
) -> Option<CheckRefutation> {
    let given = query.limits;
    let limits =
        ExhaustLimits { evaluations: given.evaluations.min(EVALUATIONS), steps: given.steps.min(STEPS), ..*given };
    let query = TruthQuery { limits: &limits, search: Search::Recorded, ..query };
    let &first = unproven.first()?;
    // Complete unfoldings are instances.
    if let Some(refutation) = refuted(store, assertions, Recursion::Unfolded, first, query) {
        return Some(refutation);
    }
    let symbols: Arc<FxHashSet<FuncId>> = Arc::new(unproven.iter().copied().collect());
    let mut all = assertions.to_vec();
    for &f in unproven {
        let Some((_, body)) = store.func(f).definition() else { continue };
        let group = mentioned_deeply(store, &[body]).into_iter().filter(|g| symbols.contains(g));
        let group: Vec<FuncId> = std::iter::once(f).chain(group.filter(|&g| g != f)).collect();
        let axioms: Vec<TermId> = group.iter().filter_map(|&g| axiom(store, g, &limits)).collect();
        if let Some(refutation) = refuted(store, &axioms, Recursion::Symbols(Arc::clone(&symbols)), f, query) {
            return Some(refutation);
        }
        if instances::contradict(store, &group, query.stop) {
            return Some(of_definition(store, f, None));
        }
        all.extend(axioms);
    }
    all.sort_unstable();
    all.dedup();
    refuted(store, &all, Recursion::Symbols(symbols), first, query)
}

fn refuted(
    store: &mut Store,
    formulas: &[TermId],
    recursion: Recursion,
    f: FuncId,
    query: TruthQuery<'_>,
) -> Option<CheckRefutation> {
    let world = World::reading(store, formulas, (query.limits, query.stop), recursion).ok()?;
    match of_world(store, &world, query) {
        Ok(CheckTruth::Unsat(CheckRefutation { record, .. })) => Some(of_definition(store, f, record)),
        _ => None,
    }
}

fn of_definition(store: &Store, f: FuncId, record: Option<Box<crate::exhaust::Exhaustion>>) -> CheckRefutation {
    CheckRefutation { record, definition: Some(store.name(store.func(f).name).into()), ..CheckRefutation::default() }
}

/// Returns the definition as an assertion over all its parameters; if they have many values, over a few of them.
fn axiom(store: &mut Store, f: FuncId, limits: &ExhaustLimits) -> Option<TermId> {
    let func = store.func(f);
    let (vars, body) = func.definition()?;
    let params: Vec<_> = vars.iter().copied().zip(func.params.iter().copied()).collect();
    let terms: Vec<TermId> = params.iter().map(|&(name, sort)| store.bound_variable(name, sort)).collect();
    let whole = store.apply(f, &terms).ok()?;
    let equation = store.eq(whole, body).ok()?;
    if params.is_empty() {
        return Some(equation);
    }
    let mut guards = vec![];
    let mut instances = 1u64;
    for (&variable, &(_, sort)) in terms.iter().zip(&params) {
        let model = Model::new();
        let size = match (Domains { store, model: &model }).cardinality(sort) {
            Cardinality::Finite(size) => Some(size),
            _ => None,
        };
        match size.and_then(|size| instances.checked_mul(size)).filter(|&n| n <= limits.each.domain) {
            Some(n) => instances = n,
            None => {
                let mut cases = Vec::new();
                for value in samples(store, sort) {
                    let value = value.to_term(store, sort)?;
                    cases.push(store.eq(variable, value).ok()?);
                }
                instances = instances.saturating_mul(cases.len() as u64);
                guards.push(store.or(&cases));
            }
        }
    }
    let matrix = match guards.is_empty() {
        true => equation,
        false => {
            let guard = store.and(&guards);
            store.app(Op::new(Kind::Implies), &[guard, equation]).ok()?
        }
    };
    let binder = Binder { vars: params.into(), patterns: [].into(), no_patterns: 0, qid: None, weight: None };
    store.bind(Kind::Forall, binder, &[matrix]).ok()
}

/// Returns a few values of a sort.
pub(super) fn samples(store: &Store, sort: SortId) -> Vec<Value> {
    match sort {
        SortId::INT => [0, 1, -1].map(|n| Value::Int(IBig::from(n))).to_vec(),
        SortId::REAL => [0, 1, -1].map(|n| Value::real(RBig::from(IBig::from(n)))).to_vec(),
        _ => {
            let model = Model::new();
            let domains = Domains { store, model: &model };
            let few = (0..3).map_while(|n| domains.nth(sort, n)).collect::<Vec<Value>>();
            if few.is_empty() { domains.any(sort).into_iter().collect() } else { few }
        }
    }
}
