//! Small worlds: the symbols of a problem, and the finite sets they range over.

use super::answer::ExhaustLimits;
use crate::cardinality::Cardinality;
use crate::domain::Domains;
use crate::guard::GuardIndex;
use crate::meter::{Exhausted, Meter, Stop};
use crate::model::Model;
use crate::open::{Allowed, OpenPoint};
use crate::totality::Recursion;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::free_vars::FreeVars;
use smtlib::{FuncId, Kind, Sort, SortId, Store, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A problem whose constants range over finite sets.
pub(crate) struct World {
    /// The assertions.
    pub(super) assertions: Vec<TermId>,
    /// The declared constants that occur, with the known values, ascending.
    pub(super) constants: Vec<(FuncId, SymbolValues)>,
    /// The values to which guards confine functions: at some arguments, or at all.
    functions: FxHashMap<FuncId, FunctionGuards>,
    /// The uninterpreted sorts that occur, with the size of the largest universe to try.
    pub(super) universes: Vec<(SortId, u32)>,
    /// How to read functions that are not proven total.
    pub(super) recursion: Recursion,
}

/// The values that a symbol may have.
#[derive(Clone, Debug)]
pub(super) enum SymbolValues {
    /// All elements of its sort.
    OfSort(SortId),
    /// The listed values.
    Listed(Arc<[Value]>),
}

#[derive(Default)]
struct FunctionGuards {
    everywhere: Option<Arc<[Value]>>,
    at: BTreeMap<Box<[Value]>, Arc<[Value]>>,
}

/// Why a problem is not a small world.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotFinite {
    /// A constant's sort is infinite or too large, and no assertion confines it.
    #[error("`{symbol}` of sort {sort} has {size}; confine it by an assertion such as {example}")]
    Constant {
        /// Its name.
        symbol: String,
        /// Its sort.
        sort: String,
        /// The number of its values, in words.
        size: String,
        /// An example of a confining assertion.
        example: &'static str,
    },
    /// The constants together have too many assignments.
    #[error("the constants have {size} assignments, more than the bound of {bound}")]
    TooLarge {
        /// The number, in decimal.
        size: String,
        /// The bound.
        bound: u64,
    },
    /// The size of an uninterpreted sort is not bounded.
    #[error(
        "the sort {0} may have any number of elements; bound it by (forall ((x {0})) (or (= x a) (= x b))), with as many equations as elements"
    )]
    Universe(String),
    /// Time was up.
    #[error("the time is up")]
    Stopped,
}

impl From<Exhausted> for NotFinite {
    fn from(_: Exhausted) -> NotFinite {
        NotFinite::Stopped
    }
}

const EXAMPLE: &str = "(or (= x c1) (= x c2)), or (<= 0 x 5) for an integer";

/// The maximum universe size that is tried because of the number of terms of its sort.
const MAX_UNIVERSE: u32 = 4;

impl World {
    /// Recognises a small world: every declared constant in the assertions has few values.
    /// Errors: [`NotFinite`] names the part that is too large or not known to be finite.
    pub(crate) fn of(
        store: &Store,
        assertions: &[TermId],
        limits: &ExhaustLimits,
        stop: &Stop,
    ) -> Result<World, NotFinite> {
        World::reading(store, assertions, (limits, stop), Recursion::Proven)
            .map_err(|mut reasons| reasons.swap_remove(0).1)
    }

    /// Like [`World::of`], with another reading of functions that are not proven total.
    /// Errors: at least one reason as for [`World::of`], each with the constant that it concerns, if any.
    pub(crate) fn reading(
        store: &Store,
        assertions: &[TermId],
        (limits, stop): (&ExhaustLimits, &Stop),
        recursion: Recursion,
    ) -> Result<World, Vec<(Option<FuncId>, NotFinite)>> {
        let of_all = |reason: NotFinite| vec![(None, reason)];
        let terms = subterms(store, assertions, stop).map_err(|e| of_all(e.into()))?;
        let facts = conjuncts(store, assertions);
        let universes = universes(store, &facts, &terms).map_err(of_all)?;
        stop.check().map_err(|e| of_all(e.into()))?;
        let mut guards = GuardIndex::new(store, &facts, stop).map_err(|e| of_all(e.into()))?;
        let mut world = World {
            assertions: assertions.to_vec(),
            constants: Vec::new(),
            functions: FxHashMap::default(),
            universes,
            recursion,
        };
        let model = world.model_of(&world.universes);
        let domains = Domains { store, model: &model };
        let mut free = FreeVars::default();
        // For arguments: no symbol has a value.
        let mut evaluator = crate::Evaluator::new(Model::new(), crate::EvalLimits::default()).heeding(stop);
        let mut unconfined = Vec::new();
        for &t in &terms {
            let Some(f) = store.applied(t).filter(|&f| world.recursion.is_symbol(store, f)) else { continue };
            stop.check().map_err(|e| of_all(e.into()))?;
            if store.func(f).params.is_empty() {
                match values(&domains, store.sort(t), guards.of(t), limits) {
                    Ok(values) => world.constants.push((f, values)),
                    Err(size) => {
                        let symbol = store.name(store.func(f).name).to_string();
                        let sort = store.sort_text(store.sort(t));
                        unconfined.push((Some(f), NotFinite::Constant { symbol, sort, size, example: EXAMPLE }));
                    }
                }
            } else if free.is_closed(store, t)
                && let Some(values) = guards.of(t)
            {
                // A guard of one application at ground arguments.
                let args: Option<Box<[Value]>> = store.args(t).iter().map(|&a| evaluator.eval(store, a).ok()).collect();
                if let Some(args) = args {
                    world.functions.entry(f).or_default().at.insert(args, values.into());
                }
            }
        }
        if !unconfined.is_empty() {
            return Err(unconfined);
        }
        world.constants.sort_by_key(|c| c.0);
        world.constants.dedup_by_key(|c| c.0);
        for &fact in &facts {
            world.quantified_guard(store, fact, stop).map_err(|e| of_all(e.into()))?;
        }
        world.check_size(store, limits).map_err(of_all)?;
        Ok(world)
    }

    /// A guard of a function at all arguments: `(forall ((x S)) (or (= (f x) c1) …))`.
    fn quantified_guard(&mut self, store: &Store, fact: TermId, stop: &Stop) -> Result<(), Exhausted> {
        let (Kind::Forall, Some(binder), Some(&body)) =
            (store.kind(fact), store.op(fact).binder(), store.args(fact).first())
        else {
            return Ok(());
        };
        let bound: FxHashSet<TermId> =
            store.binder(binder).vars.iter().filter_map(|&(name, sort)| store.known_variable(name, sort)).collect();
        let mut guards = GuardIndex::new(store, &conjuncts(store, &[body]), stop)?;
        for t in subterms(store, &[body], stop)? {
            stop.check()?;
            let Some(f) = store.applied(t).filter(|&f| self.recursion.is_symbol(store, f)) else { continue };
            let args = store.args(t);
            let different: FxHashSet<TermId> = args.iter().copied().collect();
            if args.is_empty() || different.len() < args.len() || !args.iter().all(|a| bound.contains(a)) {
                continue;
            }
            if let Some(values) = guards.of(t) {
                self.functions.entry(f).or_default().everywhere = Some(values.into());
            }
        }
        Ok(())
    }

    fn check_size(&self, store: &Store, limits: &ExhaustLimits) -> Result<(), NotFinite> {
        let size = self.assignments(store, &self.universes);
        match size {
            Some(n) if n <= limits.assignments => Ok(()),
            size => Err(NotFinite::TooLarge {
                size: size.map_or_else(|| "2^64 or more".to_string(), |n| n.to_string()),
                bound: limits.assignments,
            }),
        }
    }

    /// Returns the number of assignments of the constants for these universe sizes; `None` if 2^64 or more.
    pub(super) fn assignments(&self, store: &Store, sizes: &[(SortId, u32)]) -> Option<u64> {
        let model = self.model_of(sizes);
        let domains = Domains { store, model: &model };
        self.constants.iter().try_fold(1u64, |all, (_, values)| all.checked_mul(values.len(&domains)?))
    }

    /// Returns the model that fixes these universes and nothing else.
    pub(super) fn model_of(&self, sizes: &[(SortId, u32)]) -> Model {
        let mut model = Model::new();
        for &(sort, size) in sizes {
            model.set_universe(sort, size);
        }
        model
    }

    /// Returns the combinations of universe sizes, smaller ones first; one empty combination if there are no such sorts.
    pub(super) fn sizes(&self) -> Vec<Vec<(SortId, u32)>> {
        let mut all = vec![Vec::new()];
        for &(sort, most) in &self.universes {
            let longer = |sizes: &Vec<(SortId, u32)>, size| sizes.iter().copied().chain([(sort, size)]).collect();
            all = (1..=most).flat_map(|size| all.iter().map(move |sizes| longer(sizes, size))).collect();
        }
        all
    }

    /// Returns the possible values of a point, of a term of sort `sort`; `None` if there are too many.
    pub(super) fn candidates(
        &self,
        domains: &Domains<'_>,
        point: &OpenPoint,
        sort: SortId,
        limits: &ExhaustLimits,
    ) -> Option<Arc<[Value]>> {
        let known = match point {
            OpenPoint::Symbol(f, args) if args.is_empty() => {
                let at = self.constants.binary_search_by_key(f, |c| c.0).ok()?;
                Some(self.constants[at].1.clone())
            }
            OpenPoint::Symbol(f, args) => {
                let guards = self.functions.get(f);
                let values = guards.and_then(|g| g.at.get(args).or(g.everywhere.as_ref()));
                values.cloned().map(SymbolValues::Listed)
            }
            OpenPoint::Choice(op, args) => match Allowed::at(*op, args) {
                Allowed::OneOf(values) => Some(SymbolValues::Listed(values.into())),
                Allowed::Any | Allowed::Nan(_) => None,
            },
        };
        known.unwrap_or(SymbolValues::OfSort(sort)).list(domains, limits)
    }
}

impl SymbolValues {
    pub(super) fn len(&self, domains: &Domains<'_>) -> Option<u64> {
        match self {
            SymbolValues::Listed(values) => Some(values.len() as u64),
            SymbolValues::OfSort(sort) => match domains.cardinality(*sort) {
                Cardinality::Finite(n) => Some(n),
                _ => None,
            },
        }
    }

    pub(super) fn list(&self, domains: &Domains<'_>, limits: &ExhaustLimits) -> Option<Arc<[Value]>> {
        match self {
            SymbolValues::Listed(values) => Some(values.clone()),
            SymbolValues::OfSort(sort) => {
                let size = self.len(domains).filter(|&n| n <= limits.values)?;
                (0..size).map(|n| domains.nth(*sort, n)).collect()
            }
        }
    }
}

/// Returns the values of a constant: those of its guard or of its sort, whichever are fewer; otherwise their number, in words.
fn values(
    domains: &Domains<'_>,
    sort: SortId,
    listed: Option<Vec<Value>>,
    limits: &ExhaustLimits,
) -> Result<SymbolValues, String> {
    match (domains.cardinality(sort), listed) {
        (Cardinality::Finite(n), Some(values)) if n <= values.len() as u64 => Ok(SymbolValues::OfSort(sort)),
        (_, Some(values)) => Ok(SymbolValues::Listed(values.into())),
        (Cardinality::Finite(n), None) if n <= limits.values => Ok(SymbolValues::OfSort(sort)),
        (Cardinality::Finite(n), None) => Err(format!("{n} values, more than the bound of {}", limits.values)),
        (Cardinality::Huge, None) => Err("2^64 values or more".to_string()),
        (Cardinality::Infinite, None) => Err("infinitely many values".to_string()),
        (Cardinality::Unknown, None) => Err("an unknown number of values".to_string()),
    }
}

/// Returns all values of a sort; otherwise their number, in words, if there are more than `most` or it is not known.
pub(crate) fn all_values(store: &Store, sort: SortId, most: u64) -> Result<Arc<[Value]>, String> {
    let (model, limits) = (Model::new(), ExhaustLimits { values: most, ..ExhaustLimits::default() });
    let domains = Domains { store, model: &model };
    let values = values(&domains, sort, None, &limits)?.list(&domains, &limits);
    values.ok_or_else(|| "values that cannot be listed".to_string())
}

/// Returns the body of the definition of an applied function or a function value.
pub(super) fn body(store: &Store, t: TermId) -> Option<TermId> {
    Some(store.func(store.op(t).func()?).definition()?.1)
}

/// Returns all subterms in ascending order, including those of quantifier bodies and of definitions.
/// Errors: [`Exhausted::Stopped`] once `stop` applies.
pub(super) fn subterms(store: &Store, roots: &[TermId], stop: &Stop) -> Result<Vec<TermId>, Exhausted> {
    const BITS: usize = u64::BITS as usize;
    let mut seen = vec![0u64; store.len().div_ceil(BITS)];
    let mut meter = Meter::new(stop.clone(), usize::MAX);
    let mut open = roots.to_vec();
    while let Some(t) = open.pop() {
        meter.tick()?;
        let (word, bit) = (&mut seen[t.index() / BITS], 1 << (t.index() % BITS));
        if *word & bit == 0 {
            *word |= bit;
            open.extend_from_slice(store.args(t));
            open.extend(body(store, t));
        }
    }
    let mut list = Vec::new();
    for (n, mut word) in seen.into_iter().enumerate() {
        while word != 0 {
            list.push(TermId::from_index(n * BITS + word.trailing_zeros() as usize));
            word &= word - 1;
        }
    }
    Ok(list)
}

/// Returns the assertions with conjunctions split and defined constants expanded, each once.
pub(super) fn conjuncts(store: &Store, assertions: &[TermId]) -> Vec<TermId> {
    let mut open: Vec<TermId> = assertions.to_vec();
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    while let Some(t) = open.pop().map(|t| store.stands_for(t)) {
        match store.kind(t) {
            _ if !seen.insert(t) => {}
            Kind::And => open.extend_from_slice(store.args(t)),
            _ => found.push(t),
        }
    }
    found
}

/// Returns the terms, in ascending order and with their subterms, that are marked or have a marked subterm. The body of a recursive
/// function is skipped if it comes after the application.
pub(super) fn marked(store: &Store, terms: &[TermId], own: impl Fn(TermId) -> bool) -> FxHashSet<TermId> {
    let mut found = FxHashSet::default();
    for &t in terms {
        if own(t) || store.args(t).iter().chain(&body(store, t)).any(|part| found.contains(part)) {
            found.insert(t);
        }
    }
    found
}

/// Returns the uninterpreted sorts that occur, with the largest universe to try for each.
///
/// A universe is bounded by an assertion `(forall ((x S)) (or (= x t1) … (= x tk)))`, or, where no quantifier, function
/// value or other sort ranges over it and all terms of the sort are closed, by the number of these terms: the elements that
/// no term denotes can be left out of any model (the small model property of equality with uninterpreted functions).
fn universes(store: &Store, facts: &[TermId], terms: &[TermId]) -> Result<Vec<(SortId, u32)>, NotFinite> {
    let mut found: BTreeMap<SortId, u32> = BTreeMap::new();
    let mut is_bound = FxHashSet::default();
    let mut compound = FxHashSet::default();
    let mut free = FreeVars::default();
    for &t in terms {
        let sort = store.sort(t);
        if store.stands_for(t) != t {
            // Its definition is one of the terms. A recursive constant has none: `c` defined as `c` may be any element.
            continue;
        }
        if matches!(store.sorts.get(sort), Sort::Uninterpreted(..)) {
            *found.entry(sort).or_default() += 1;
            // With a free variable, of any sort, a term denotes more than one element: `(h p)` as many as `p` has values.
            if !free.is_closed(store, t) {
                is_bound.insert(sort);
            }
        } else if compound.insert(sort) {
            is_bound.extend(parts(store, sort));
        }
        if let Some(binder) = store.op(t).binder() {
            for &(_, sort) in &*store.binder(binder).vars {
                is_bound.insert(sort);
                if compound.insert(sort) {
                    is_bound.extend(parts(store, sort));
                }
                if matches!(store.sorts.get(sort), Sort::Uninterpreted(..)) {
                    found.entry(sort).or_default();
                }
            }
        }
    }
    let bounded: FxHashMap<SortId, u32> = facts.iter().filter_map(|&fact| cardinality_axiom(store, fact)).collect();
    let size = |(sort, terms): (SortId, u32)| match bounded.get(&sort) {
        Some(&most) => Ok((sort, most)),
        None if !is_bound.contains(&sort) && terms <= MAX_UNIVERSE => Ok((sort, terms.max(1))),
        None => Err(NotFinite::Universe(store.sort_text(sort))),
    };
    found.into_iter().map(size).collect()
}

/// Returns the uninterpreted sorts inside a compound sort.
fn parts(store: &Store, sort: SortId) -> Vec<SortId> {
    let mut open = vec![sort];
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(s) = open.pop() {
        if !seen.insert(s) {
            continue;
        }
        match store.sorts.get(s) {
            Sort::Array(a, b) | Sort::Map(a, b) => open.extend([*a, *b]),
            Sort::Seq(element) => open.push(*element),
            Sort::Set(element) => open.push(*element),
            Sort::Bag(element) => open.push(*element),
            Sort::Datatype(d, args) => {
                open.extend(args.iter().copied());
                let fields = store.datatype(*d).constructors.iter().flat_map(|c| c.fields.iter().map(|f| f.1));
                open.extend(fields);
            }
            Sort::Uninterpreted(..) if s != sort => found.push(s),
            _ => {}
        }
    }
    found
}

/// Returns the bound that `(forall ((x S)) (or (= x t1) … (= x tk)))` puts on the size of `S`.
fn cardinality_axiom(store: &Store, fact: TermId) -> Option<(SortId, u32)> {
    if store.kind(fact) != Kind::Forall {
        return None;
    }
    let [(name, sort)] = *store.binder(store.op(fact).binder()?).vars else { return None };
    let (&body, variable) = (store.args(fact).first()?, store.known_variable(name, sort)?);
    if !matches!(store.sorts.get(sort), Sort::Uninterpreted(..)) {
        return None;
    }
    let cases = if store.kind(body) == Kind::Or { store.args(body) } else { std::slice::from_ref(&body) };
    let mut free = FreeVars::default();
    for &case in cases {
        let &[a, b] = store.args(case) else { return None };
        let other = if a == variable { b } else { a };
        let is_case = store.kind(case) == Kind::Eq && (a == variable || b == variable);
        if !is_case || !free.is_closed(store, other) {
            return None;
        }
    }
    Some((sort, u32::try_from(cases.len()).ok()?))
}
