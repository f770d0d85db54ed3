//! The guards of one mutant: the values that each symbol and variable keeps, and the formulas that state them.

use super::seed::ShrinkSeed;
use crate::assignment::ValueGenerator;
use crate::edit;
use crate::guards::{guarded, is_ground, one_of, quantified};
use crate::rng::RandomStream;
use crate::small_world::{CheckTruth, LIMITS, decide_terms};
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use semantics::guard::guard;
use semantics::truth::{NotFinite, OpenTruth};
use semantics::{Interpretation, Model, Value};
use smtlib::{FuncId, Kind, Op, Sort, SortId, Store, TermId};

/// The maximum size of the sort of a constant that needs no guard.
const SMALL_SORT: u64 = 32;
/// The most instances of a function's guard, and the largest sort of a variable or of a function's results that needs none.
const MAX_INSTANCES: u64 = 64;
/// The maximum number of values of a guarded variable, and of a function's results.
const FEW: u64 = 3;
/// The maximum size of a bounded universe of an uninterpreted sort.
const MAX_UNIVERSE: u64 = 3;
/// How often, in percent, an integer is confined by bounds.
const BOUNDS: u32 = 30;
/// How often, in percent, the assignment's value is kept although the mutant need not be satisfiable.
const KEPT: u32 = 70;

/// The size limits of a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WorldSize {
    /// The maximum number of values of one constant, at least 1.
    pub values: u32,
    /// The maximum number of assignments of the constants whose sorts are not uninterpreted, at least 1.
    pub assignments: u32,
}

/// A small world made from a seed.
#[derive(Clone, Debug)]
pub(super) struct ShrunkSeed {
    /// The new assertions.
    pub guards: Vec<TermId>,
    /// The seed's, with guards in the quantifiers.
    pub assertions: Vec<TermId>,
    /// Whether the logic must be `ALL`.
    pub is_beyond: bool,
    /// The result of exhaustion.
    pub truth: CheckTruth,
}

/// Why a draw gave no small world.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum NotShrunk {
    /// The values of a sort cannot be written in a guard.
    #[error("no value of the sort {sort} of `{symbol}` can be written as a term")]
    NoValues { symbol: String, sort: String },
    /// A function has too many arguments and results.
    #[error("the function `{0}` has too many arguments and results to try all")]
    Function(String),
    /// The guards need another logic, and the seed must keep its own.
    #[error("the guards need a larger logic, in which a name of the seed would mean something else")]
    Logic,
    /// Exhaustion does not decide it.
    #[error(transparent)]
    Undecided(#[from] OpenTruth),
}

/// Draws guards and decides the world that they make.
pub(super) fn draw(
    store: &mut Store,
    seed: &ShrinkSeed,
    size: WorldSize,
    rng: &mut RandomStream,
) -> Result<ShrunkSeed, NotShrunk> {
    let mut drawing = GuardDrawing {
        seed,
        values: seed.values.again(Model::new()),
        of_variables: FxHashMap::default(),
        keeps_model: rng.coin(),
    };
    let mut guards = drawing.constants(store, size, rng)?;
    drawing.functions(store, &mut guards, rng)?;
    let given = &seed.instance.assertions;
    let assertions: Vec<TermId> = given.iter().map(|&t| drawing.in_quantifiers(store, t, rng)).collect();
    let decided = |store: &mut Store, guards: &[TermId]| {
        let all: Vec<TermId> = guards.iter().chain(&assertions).copied().collect();
        decide_terms(store, &all, &LIMITS)
    };
    let truth = match decided(store, &guards) {
        // Bounds of universes add a quantifier, so they are added only if necessary.
        Err(OpenTruth::NotFinite(NotFinite::Universe(_))) => {
            let mut bounds = drawing.universes(store, rng);
            bounds.append(&mut guards);
            guards = bounds;
            decided(store, &guards)?
        }
        other => other?,
    };
    let all: Vec<TermId> = guards.iter().chain(&assertions).copied().collect();
    let is_beyond = edit::needs(store, &[], &all) & seed.refused != 0;
    match is_beyond && seed.keeps_logic {
        true => Err(NotShrunk::Logic),
        false => Ok(ShrunkSeed { guards, assertions, is_beyond, truth }),
    }
}

struct GuardDrawing<'s> {
    seed: &'s ShrinkSeed,
    values: ValueGenerator,
    /// Variables of one sort have the same values in one mutant, so that they meet.
    of_variables: FxHashMap<SortId, Vec<TermId>>,
    /// Every constant keeps its value under the assignment, so satisfied assertions stay satisfiable.
    keeps_model: bool,
}

/// Returns the number of elements of a sort; unknown for one with uninterpreted parts.
fn cardinality(store: &Store, sort: SortId) -> Cardinality {
    let model = Model::new();
    Domains { store, model: &model }.cardinality(sort)
}

impl GuardDrawing<'_> {
    fn constants(
        &mut self,
        store: &mut Store,
        size: WorldSize,
        rng: &mut RandomStream,
    ) -> Result<Vec<TermId>, NotShrunk> {
        let sizes = sizes(store, self.seed, size, rng);
        let mut guards = Vec::new();
        for (&(f, constant), size) in self.seed.constants.iter().zip(sizes) {
            if let Some(size) = size {
                guards.push(self.constant(store, (f, constant), size, rng)?);
            }
        }
        Ok(guards)
    }

    /// Returns the guard of one constant.
    fn constant(
        &mut self,
        store: &mut Store,
        (f, constant): (FuncId, TermId),
        size: u64,
        rng: &mut RandomStream,
    ) -> Result<TermId, NotShrunk> {
        let sort = store.sort(constant);
        let kept = match self.seed.model.interpretation(f) {
            Some(Interpretation::Value(value)) if self.keeps_model || rng.percent(KEPT) => Some(value.clone()),
            _ => None,
        };
        if sort == SortId::INT && size > 1 && rng.percent(BOUNDS) {
            let value = kept.clone().or_else(|| self.values.value(store, sort, rng));
            if let Some(Value::Int(value)) = value {
                let low = value - IBig::from(rng.below(size));
                let high = &low + IBig::from(size - 1);
                let bounds = [store.int(&low), constant, store.int(&high)];
                if let Ok(guard) = store.app(Op::new(Kind::IntLe), &bounds) {
                    return Ok(guard);
                }
            }
        }
        let mut literals = self.literals(store, sort, kept, size, rng);
        rng.shuffle(&mut literals);
        one_of(store, constant, &literals).ok_or_else(|| NotShrunk::NoValues {
            symbol: store.name(store.func(f).name).to_string(),
            sort: store.sort_text(sort),
        })
    }

    /// Up to `count` distinct values of a sort as terms, including `kept` if it has a term.
    fn literals(
        &mut self,
        store: &mut Store,
        sort: SortId,
        kept: Option<Value>,
        count: u64,
        rng: &mut RandomStream,
    ) -> Vec<TermId> {
        let mut literals: Vec<TermId> = kept.and_then(|value| literal(store, &value, sort)).into_iter().collect();
        for _ in 0..3 * count + 3 {
            if literals.len() as u64 >= count {
                break;
            }
            let Some(value) = self.values.value(store, sort, rng) else { break };
            if let Some(literal) = literal(store, &value, sort)
                && !literals.contains(&literal)
            {
                literals.push(literal);
            }
        }
        literals
    }

    /// Guards of functions with too many results: `(forall ((x S)) (or (= (f x) c1) …))`, only over few arguments.
    fn functions(
        &mut self,
        store: &mut Store,
        guards: &mut Vec<TermId>,
        rng: &mut RandomStream,
    ) -> Result<(), NotShrunk> {
        for &f in &self.seed.functions {
            let (params, result) = (store.func(f).params.clone(), store.func(f).result);
            match cardinality(store, result) {
                Cardinality::Unknown => continue,
                Cardinality::Finite(n) if n <= MAX_INSTANCES => continue,
                _ => {}
            }
            let too_large = |store: &Store| NotShrunk::Function(store.name(store.func(f).name).to_string());
            let sizes = params.iter().map(|&p| match (cardinality(store, p), store.sorts.get(p)) {
                (Cardinality::Finite(n), _) => Some(n),
                (_, Sort::Uninterpreted(..)) => Some(MAX_UNIVERSE),
                _ => None,
            });
            let instances = sizes.into_iter().try_fold(1u64, |all, n| all.checked_mul(n?));
            if instances.is_none_or(|n| n > 4 * MAX_INSTANCES) {
                return Err(too_large(store));
            }
            let vars: Vec<_> =
                params.iter().enumerate().map(|(n, &p)| store.named_variable(&format!("!p{n}"), p)).collect();
            let args: Vec<TermId> = vars.iter().map(|v| v.1).collect();
            let literals = self.literals(store, result, None, FEW, rng);
            let application = store.apply(f, &args).map_err(|_| too_large(store))?;
            let body = one_of(store, application, &literals).ok_or_else(|| too_large(store))?;
            let vars = vars.iter().zip(&*params).map(|(v, &p)| (v.0, p)).collect();
            guards.push(quantified(store, Kind::Forall, vars, body).ok_or_else(|| too_large(store))?);
        }
        Ok(())
    }

    /// `(forall ((x U)) (or (= x a) …))` for every uninterpreted sort that has constants.
    fn universes(&self, store: &mut Store, rng: &mut RandomStream) -> Vec<TermId> {
        let mut bounds = Vec::new();
        for (sort, mut constants) in self.seed.universes(store) {
            rng.shuffle(&mut constants);
            constants.truncate(rng.between(2, MAX_UNIVERSE) as usize);
            let (name, variable) = store.named_variable("!u", sort);
            let bound = one_of(store, variable, &constants);
            bounds.extend(bound.and_then(|bound| quantified(store, Kind::Forall, vec![(name, sort)], bound)));
        }
        bounds
    }

    /// Returns an assertion with guards for quantified variables that have too many values.
    fn in_quantifiers(&mut self, store: &mut Store, t: TermId, rng: &mut RandomStream) -> TermId {
        if store.flags(t) & smtlib::term::HAS_BINDER == 0 {
            return t;
        }
        store.rebuild(t, |store, u| self.quantifier(store, u, rng))
    }

    fn quantifier(&mut self, store: &mut Store, u: TermId, rng: &mut RandomStream) -> Option<TermId> {
        let kind = store.kind(u);
        if !matches!(kind, Kind::Forall | Kind::Exists) {
            return None;
        }
        let vars = store.binder(store.op(u).binder()?).vars.clone();
        let mut args = store.args(u).to_vec();
        let body = *args.first()?;
        let mut guards = Vec::new();
        for &(name, sort) in &*vars {
            match cardinality(store, sort) {
                Cardinality::Unknown => continue,
                Cardinality::Finite(n) if n <= MAX_INSTANCES / 4 => continue,
                _ => {}
            }
            let variable = store.bound_variable(name, sort);
            // The seed's own guard is enough.
            if guard(store, body, kind == Kind::Exists, variable)
                .is_some_and(|values| values.len() as u64 <= MAX_INSTANCES)
            {
                continue;
            }
            let literals = match self.of_variables.get(&sort) {
                Some(literals) => literals.clone(),
                None => {
                    let count = rng.between(2, FEW);
                    let literals = self.literals(store, sort, None, count, rng);
                    self.of_variables.insert(sort, literals.clone());
                    literals
                }
            };
            guards.extend(one_of(store, variable, &literals));
        }
        if guards.is_empty() {
            return None;
        }
        args[0] = guarded(store, kind, &guards, body)?;
        Some(store.with_args(u, &args))
    }
}

/// How many values each constant is confined to; `None` if its sort confines it already or it has no writable values.
fn sizes(store: &Store, seed: &ShrinkSeed, size: WorldSize, rng: &mut RandomStream) -> Vec<Option<u64>> {
    let most = u64::from(size.values.max(1));
    let low = most.min(2);
    // The number of values, its maximum, and the size of the sort.
    let mut sizes: Vec<(u64, u64, u64)> = Vec::with_capacity(seed.constants.len());
    for &(_, constant) in &seed.constants {
        sizes.push(match cardinality(store, store.sort(constant)) {
            Cardinality::Unknown => (1, 1, 1),
            Cardinality::Finite(n) if n <= SMALL_SORT => (1, n, n),
            Cardinality::Finite(n) => (1, rng.between(low, most).min(n), n),
            Cardinality::Huge | Cardinality::Infinite => (1, rng.between(low, most), u64::MAX),
        });
    }
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    rng.shuffle(&mut order);
    let mut assignments = 1u64;
    let mut is_growing = true;
    while std::mem::take(&mut is_growing) {
        for &n in &order {
            let (now, cap, _) = sizes[n];
            let larger = assignments / now * (now + 1);
            if now < cap && larger <= u64::from(size.assignments) {
                (sizes[n].0, assignments, is_growing) = (now + 1, larger, true);
            }
        }
    }
    sizes.into_iter().map(|(now, _, all)| (now < all).then_some(now)).collect()
}

/// Returns a value as a term without symbols; elements of uninterpreted sorts have none.
fn literal(store: &mut Store, value: &Value, sort: SortId) -> Option<TermId> {
    value.to_term(store, sort).filter(|&t| is_ground(store, t))
}
