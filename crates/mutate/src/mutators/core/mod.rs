//! Core: mutants without a model, with contradictory formulas hidden among others.
//!
//! Before: `(assert (< x 1))` and `(assert (> x 2))`. After: `(assert (or (< x 1) q))`, `(assert (=> (> y x) (> x 2)))`,
//! `(assert (> y x))`, `(assert (or (not q) (< x 1)))`.

mod batch;
mod config;
mod hide;
mod layout;
mod seed;

pub use batch::CoreBatch;
pub use config::{CoreConfig, PARAMETERS};

use crate::edit::{limits, names_extension};
use crate::fragments;
use crate::guards::is_guard;
use crate::joined::{JoinedAssignment, JoinedSeeds, TypeUse};
use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, Parent, TargetSpelling, Unfit};
use crate::preamble::Uses;
use crate::rng::RandomStream;
use batch::{CorePool, MutantFormulas};
use hide::QuantifiedConstant;
use seed::{CoreOrigin, CoreSeed};
use semantics::{Evaluator, Value};
use smtlib::term::HAS_BINDER;
use smtlib::{Command, Func, FuncBody, FuncId, Instance, SortId, Store, Symbol, TermId};
use std::sync::Arc;

/// The mutator's entry.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "core",
    about: "hides contradictory formulas among formulas of the same and of another seed",
    truth: "unsat, certified by exhaustion or trusted as the seed's status is; sat between them, certified by the assignment",
    parents: 2,
    makes_small_worlds: false,
    // Many of its truths depend on the status in a file.
    share: 0,
    parameters: || PARAMETERS.parameters(),
    build: |settings| Ok(Box::new(Core { config: PARAMETERS.over(CoreConfig::default(), ENTRY.name, settings)? })),
};

/// The number of fresh Boolean constants, and of names of variables, for one mutant. Each constant doubles the assignments of exhaustion.
const NAMES: usize = 16;
const FEW_NAMES: usize = 4;
const VARIABLES: usize = 8;

/// The mutator.
#[derive(Clone, Default, Debug)]
pub struct Core {
    /// Its parameters.
    pub config: CoreConfig,
}

impl Mutator for Core {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}

impl Core {
    /// Returns the batch of a unit, with its concrete type.
    ///
    /// # Errors
    /// [`Unfit`] if neither seed is known to be unsatisfiable, or the two cannot be renamed apart.
    pub fn batch<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<CoreBatch<'s>, Unfit> {
        let [first, second] = request.parents else {
            return Err(Unfit::Parents { expected: ENTRY.parents, given: request.parents.len() });
        };
        let config = self.config.clone();
        let mut rng = request.unit.stream();
        let (joined, mut core) = match cored(store, [first, second], &config, &mut rng) {
            Ok(found) => found,
            // The other seed may have a core; if not, the first is named.
            Err(unfit) => cored(store, [second, first], &config, &mut rng).map_err(|_| unfit)?,
        };
        let JoinedAssignment { mut model, source, proven } = joined.assignment(store, config.assignment, &mut rng);
        let count = if core.origin == CoreOrigin::Exhausted { FEW_NAMES } else { NAMES };
        let names: Vec<(FuncId, TermId)> = (0..count).filter_map(|_| fresh_bool(store)).collect();
        for (f, _) in &names {
            // A Boolean constant takes a Boolean value.
            let _ = model.assign(store, *f, Value::Bool(true));
        }
        let variables = fresh_variables(store);
        let mut evaluator = Evaluator::new(Arc::new(model), limits());
        if core.guards.iter().chain(&core.pieces).all(|&t| evaluator.truth(store, t) == Some(true)) {
            return Err(Unfit::Nothing("an assignment satisfies the seed, whose :status is wrong"));
        }
        let parents = joined.parents();
        let formulas = parents.map(|parent| own_formulas(store, &parent.instance, &proven, &config, &mut rng));
        let pool = CorePool::new(store, &mut evaluator, &formulas, &config, &mut rng);
        core.find_false(store, &pool.either[0], &mut rng);
        let of_second = parents[1].instance.assertions.iter().copied();
        let second_guards = of_second.filter(|&t| is_guard(store, t)).collect();
        let constants = quantified_constants(store, &core, parents[0], request.target);
        let mut declarations = parents[0].instance.declarations.clone();
        declarations.extend(parents[1].instance.declarations.iter().cloned());
        declarations.extend(names.iter().map(|(f, _)| Command::DeclareFun(*f)));
        let [first, second] = parents.map(|parent| &parent.instance);
        store.symbols.intern("ALL");
        let keeps_logic = names_extension(store, first);
        let formulas = MutantFormulas {
            core,
            pool,
            second_guards,
            names: names.iter().map(|(_, term)| *term).collect(),
            variables,
            constants,
            alone: Instance { declarations: declarations.clone(), ..first.clone() },
            both: Instance {
                declarations,
                logic: if first.logic == second.logic { first.logic } else { None },
                ..first.clone()
            },
            keeps_logic,
        };
        Ok(CoreBatch {
            store,
            formulas,
            evaluator,
            source,
            config,
            target: request.target,
            unit: request.unit,
            last: None,
        })
    }
}

/// Returns the seeds, renamed apart; the first has a core.
fn cored(
    store: &mut Store,
    parents: [&Parent; 2],
    config: &CoreConfig,
    rng: &mut RandomStream,
) -> Result<(JoinedSeeds, CoreSeed), Unfit> {
    let joined = JoinedSeeds::new(store, parents, TypeUse::Apart)?;
    let core = CoreSeed::new(store, &joined.first, config, rng)?;
    Ok((joined, core))
}

/// Returns some Boolean subterms of a seed.
fn own_formulas(
    store: &mut Store,
    instance: &Instance,
    proven: &[bool],
    config: &CoreConfig,
    rng: &mut RandomStream,
) -> Vec<TermId> {
    let mut found = fragments::candidates(store, instance);
    found.retain(|t| proven.get(t.index()).copied().unwrap_or(false));
    fragments::thin(&mut found, config.fragments as usize, rng);
    found
}

/// Returns a new Boolean constant with a fresh name.
fn fresh_bool(store: &mut Store) -> Option<(FuncId, TermId)> {
    let known = store.symbols.len();
    let name = store.fresh_symbol("hold", |symbol| symbol.index() < known);
    let func = store.declare(Func { name, params: Box::default(), result: SortId::BOOL, body: FuncBody::Declared });
    Some((func, store.constant_of(func).ok()?))
}

/// Fresh names of variables.
fn fresh_variables(store: &mut Store) -> Vec<Symbol> {
    let fresh = |_| {
        let known = store.symbols.len();
        store.fresh_symbol("v", |symbol| symbol.index() < known)
    };
    (0..VARIABLES).map(fresh).collect()
}

/// The constants of the core that formulas may be quantified over; empty if the solver or the seed's logic does not allow quantifiers.
fn quantified_constants(
    store: &mut Store,
    core: &CoreSeed,
    parent: &Parent,
    target: &TargetSpelling,
) -> Vec<QuantifiedConstant> {
    let has_binder = core.pieces.iter().any(|&t| store.flags(t) & HAS_BINDER != 0);
    if !has_binder && (!target.takes_all_logics() || names_extension(store, &parent.instance)) {
        return Vec::new();
    }
    let symbols = |store: &Store, terms: &[TermId]| {
        let mut uses = Uses::new(store);
        terms.iter().for_each(|&t| uses.term(t));
        let mut found: Vec<FuncId> = uses.funcs().filter(|&f| store.func(f).is_declared()).collect();
        found.sort_unstable();
        found
    };
    let guards: Vec<(TermId, Vec<FuncId>)> = core.guards.iter().map(|&t| (t, symbols(store, &[t]))).collect();
    let mut found = Vec::new();
    for f in symbols(store, &core.pieces) {
        if let Ok(constant) = store.constant_of(f) {
            let own = guards.iter().filter(|(_, of)| *of == [f]).map(|(guard, _)| *guard);
            found.push(QuantifiedConstant { constant, guards: own.collect() });
        }
    }
    found
}
