//! Assignments: where the witness of a unit comes from.
//!
//! Every assignment is valid, because the evaluator evaluates every fragment under it. What matters is that many fragments
//! get a value, and not all the same one.

mod generator;
mod harvest;
pub mod searched;
mod special;
mod trust;

use crate::fragments::{self, Fragments};
use crate::mutator::{GivenModel, Parent, TargetSpelling};
use crate::parameter::{self, ParameterRow, ValuePlace, words};
use crate::preamble::{self, Uses};
use crate::rng::RandomStream;
pub use generator::ValueGenerator;
pub(crate) use harvest::constants;
use semantics::{EvalLimits, Evaluator, Model, UnknownReason};
use smtlib::term::HAS_BINDER;
use smtlib::{Command, FuncId, Instance, Store, TermId};
use std::fmt::Display;
use std::sync::Arc;

/// The number of random assignments drawn for a unit; the one with the most valuable fragments is used.
const CANDIDATES: usize = 3;

/// After this many fragments exceed the evaluator's bounds, fragments with binders are skipped.
const MAX_EXHAUSTED: usize = 40;

/// The parameter `assignment`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AssignmentKind {
    /// A solver's model if there is one, otherwise random.
    Model,
    /// Always random; no solver is needed.
    Random,
    /// Each unit draws one of the two, or a model with some symbols changed.
    #[default]
    Mixed,
    /// A model of the parent's assertions found by the fuzzing solver, otherwise random; no solver is needed.
    Search,
}

/// Where an assignment came from, for a finding's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignmentSource {
    /// Drawn at random.
    Random,
    /// The given model, with random values for missing symbols.
    Model,
    /// The given model with some symbols redrawn.
    Changed,
    /// Found by the fuzzing solver, with random values for missing symbols.
    Search,
}

/// An assignment and what is true under it.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The assignment.
    pub model: Arc<Model>,
    /// The fragments with a value.
    pub fragments: Fragments,
    /// Where the assignment came from.
    pub source: AssignmentSource,
    /// Who vouches for uncertified fragments.
    pub trust: Option<Arc<str>>,
}

/// The condition on a requested model. Any model will do as an assignment; these two make one likely to exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// All assertions: for seeds not known to be unsatisfiable.
    Assertions,
    /// Not all of them: for unsatisfiable seeds.
    Negation,
}

impl AssignmentKind {
    /// The values, for users.
    pub const NAMES: &'static str = "model, random, mixed or search";

    /// Whether a unit can use a solver's model, so that asking for one is worth the time.
    pub fn wants_model(self) -> bool {
        matches!(self, AssignmentKind::Model | AssignmentKind::Mixed)
    }
}

words!(AssignmentKind: Model = "model", Random = "random", Mixed = "mixed", Search = "search");

impl Display for AssignmentSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            AssignmentSource::Random => "random",
            AssignmentSource::Model => "model",
            AssignmentSource::Changed => "model, some symbols changed",
            AssignmentSource::Search => "search",
        })
    }
}

/// Returns the parameter `assignment` of a configuration that has one.
pub const fn assignment<C>(place: ValuePlace<C>) -> ParameterRow<C> {
    parameter::word("assignment", AssignmentKind::NAMES, AssignmentKind::NAMES, place)
}

/// Chooses the assignment of a unit and values the candidates under it.
pub fn choose(
    store: &mut Store,
    parent: &Parent,
    candidates: &[TermId],
    max_depth: u32,
    kind: AssignmentKind,
    rng: &mut RandomStream,
) -> Chosen {
    let symbols = symbols(store, parent, candidates);
    if kind == AssignmentKind::Search
        && let Some(model) = searched::model(store, &parent.instance.assertions, rng)
    {
        let model = completed(store, model, &symbols, rng);
        let fragments = value(store, &model, candidates, max_depth);
        return Chosen { model, fragments, source: AssignmentSource::Search, trust: None };
    }
    let given = match &parent.given {
        GivenModel::Nothing => None,
        GivenModel::Assignment(model) => Some((model, None)),
        GivenModel::Trusted(model, who) => Some((model, Some(who))),
    };
    let draw = if kind == AssignmentKind::Mixed { rng.below(100) } else { 0 };
    match given {
        Some((model, trust)) if kind.wants_model() && draw < 50 => {
            if let Some(who) = trust
                && let Some(fragments) = trust::value(store, parent, model, candidates, max_depth)
            {
                // Nothing may be added to a trusted model: it is trusted only as given.
                let trust = Some(who.clone());
                return Chosen { model: model.clone(), fragments, source: AssignmentSource::Model, trust };
            }
            let model = completed(store, model.as_ref().clone(), &symbols, rng);
            let fragments = value(store, &model, candidates, max_depth);
            Chosen { model, fragments, source: AssignmentSource::Model, trust: None }
        }
        Some((model, _)) if kind.wants_model() && draw < 70 => {
            changed(store, parent, candidates, max_depth, model, rng)
        }
        _ => random(store, candidates, max_depth, &symbols, rng),
    }
}

/// Returns a model with one to three symbols redrawn, and the candidates' values under it.
pub fn changed(
    store: &mut Store,
    parent: &Parent,
    candidates: &[TermId],
    max_depth: u32,
    model: &Model,
    rng: &mut RandomStream,
) -> Chosen {
    let symbols = symbols(store, parent, candidates);
    let mut model = model.clone();
    for _ in 0..rng.between(1, 3) {
        if let Some(&f) = rng.pick(&symbols) {
            model.remove(f);
        }
    }
    let model = completed(store, model, &symbols, rng);
    let fragments = value(store, &model, candidates, max_depth);
    Chosen { model, fragments, source: AssignmentSource::Changed, trust: None }
}

/// Returns the declared functions that the candidates use, in the order of their declarations.
pub(crate) fn symbols(store: &Store, parent: &Parent, candidates: &[TermId]) -> Vec<FuncId> {
    let mut uses = Uses::new(store);
    for &t in candidates {
        uses.term(t);
    }
    let declared = parent.instance.declarations.iter().filter_map(|c| match c {
        Command::DeclareFun(f) if uses.has_func(*f) => Some(*f),
        _ => None,
    });
    declared.collect()
}

/// Returns the bounds of evaluation while mutants are prepared: small, since an expensive fragment is no loss. Every subterm of a term
/// that is too deep may use all steps again, so all terms together have a bound, too.
fn limits() -> EvalLimits {
    EvalLimits { steps: 200_000, domain: 1 << 12, bits: 1 << 14, life: 5_000_000, ..EvalLimits::default() }
}

/// Returns the candidates with their certified values under a model.
fn value(store: &Store, model: &Arc<Model>, candidates: &[TermId], max_depth: u32) -> Fragments {
    let mut evaluator = Evaluator::new(model.clone(), limits());
    let mut exhausted = 0;
    let truth = |store: &Store, t: TermId| {
        if exhausted > MAX_EXHAUSTED && store.flags(t) & HAS_BINDER != 0 {
            return None;
        }
        match evaluator.eval(store, t) {
            Ok(value) => value.as_bool(),
            Err(unknown) => {
                exhausted += usize::from(matches!(
                    unknown.reason,
                    UnknownReason::Steps | UnknownReason::RegexWork | UnknownReason::Nesting
                ));
                None
            }
        }
    };
    fragments::value(store, candidates, max_depth, truth, |_| None)
}

/// Returns the model with random values for symbols that are missing or have defaults.
fn completed(store: &mut Store, model: Model, symbols: &[FuncId], rng: &mut RandomStream) -> Arc<Model> {
    let mut by_default = vec![false; store.func_count()];
    model.completed().iter().for_each(|f| by_default[f.index()] = true);
    let mut generator = ValueGenerator::new(model);
    for &f in symbols {
        let missing = generator.model.interpretation(f).is_none();
        if missing || by_default[f.index()] {
            let assigned = generator.assign(store, f, rng);
            if assigned && missing {
                generator.model.mark_completed(f);
            }
        }
    }
    Arc::new(generator.model)
}

/// Returns the best of a few random assignments.
fn random(
    store: &mut Store,
    candidates: &[TermId],
    max_depth: u32,
    symbols: &[FuncId],
    rng: &mut RandomStream,
) -> Chosen {
    let constants = constants(store, candidates);
    let mut best: Option<(usize, Arc<Model>, Fragments)> = None;
    let mut keep = |store: &Store, model: Arc<Model>| {
        let fragments = value(store, &model, candidates, max_depth);
        let worth = worth(&fragments);
        if best.as_ref().is_none_or(|b| b.0 < worth) {
            best = Some((worth, model, fragments));
        }
    };
    for n in 0..CANDIDATES {
        let mut generator = constants.again(Model::new());
        for &f in symbols {
            generator.assign(store, f, rng);
        }
        // The first is used unchanged; the others are adjusted to values that the formula computes.
        let model = if n == 0 { generator.model } else { harvest::meet(store, generator, candidates, symbols, rng) };
        keep(store, Arc::new(model));
    }
    let (_, model, fragments) = best.unwrap_or_default();
    Chosen { model, fragments, source: AssignmentSource::Random, trust: None }
}

/// Returns the worth of a set of fragments: many fragments, and many of the rarer value.
fn worth(fragments: &Fragments) -> usize {
    let all = fragments.list.len();
    let yes = fragments.list.iter().filter(|f| f.value).count();
    all + 2 * yes.min(all - yes)
}

/// Appends the script to send to a solver: a `(check-sat)` that should be `sat`, then `(get-model)`.
pub fn write_query(store: &mut Store, instance: &Instance, query: Query, target: &TargetSpelling, out: &mut String) {
    let terms: Vec<TermId> = match query {
        Query::Assertions => instance.assertions.clone(),
        Query::Negation => {
            let all = store.and(&instance.assertions);
            vec![store.not(all)]
        }
    };
    out.push_str("(set-option :produce-models true)\n");
    preamble::print_check(store, instance, &terms, target, out);
    out.push_str("(get-model)\n");
}
