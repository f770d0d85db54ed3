//! Splice: two renamed seeds in one session of push, pop, assumptions and many checks, whose answers follow from both.
//!
//! Before: `(assert (< x 1))` in the first seed, `(assert (> y 2))` and `(assert (> 0 y))` in the second. After: `(assert (< x 1))`,
//! `(push 1)`, `(assert (> y 2))`, `(check-sat)`, which is satisfiable, `(assert (> 0 y))`, `(check-sat)`, which is not, `(pop 1)`,
//! `(check-sat)`, which is again.

mod batch;
mod commands;
mod config;
mod part;
mod session;

pub use batch::SpliceBatch;
pub use config::{PARAMETERS, SpliceConfig};

use crate::joined::{JoinedAssignment, JoinedSeeds, TypeUse};
use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, TargetSpelling, Unfit};
use crate::{edit, preamble};
use batch::SessionPreamble;
use part::{Part, PartContext};
use semantics::Evaluator;
use session::Selector;
use smtlib::{Command, Func, FuncBody, FuncId, Instance, Printer, SortId, Store, TermId};
use std::sync::Arc;

/// The mutator's entry.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "splice",
    about: "interleaves the assertions of two seeds in one session of levels, assumptions and many checks",
    truth: "sat, certified by both assignments; unsat, certified by exhaustion of a part, else trusted",
    parents: 2,
    makes_small_worlds: false,
    share: 1,
    parameters: || PARAMETERS.parameters(),
    build: |settings| Ok(Box::new(Splice { config: PARAMETERS.over(SpliceConfig::default(), ENTRY.name, settings)? })),
};

/// Selectors of each part of a session.
const SELECTORS: usize = 2;
/// The option that says whether declarations outlive their level.
const GLOBAL_DECLARATIONS: &str = ":global-declarations";

/// The mutator.
#[derive(Clone, Default, Debug)]
pub struct Splice {
    /// Its parameters.
    pub config: SpliceConfig,
}

impl Mutator for Splice {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}

impl Splice {
    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit`] if mutants may not be incremental, the seeds cannot be renamed apart, or nothing is known
    /// about one of them.
    pub fn batch<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<SpliceBatch<'s>, Unfit> {
        let [first, second] = request.parents else {
            return Err(Unfit::Parents { expected: ENTRY.parents, given: request.parents.len() });
        };
        if self.config.incremental == 0 {
            return Err(Unfit::Nothing(
                "all mutants are incremental, and the solver or the options allow one check only",
            ));
        }
        let config = self.config.clone();
        let mut rng = request.unit.stream();
        let joined = JoinedSeeds::new(store, [first, second], TypeUse::Apart)?;
        let JoinedAssignment { model, source, proven } = joined.assignment(store, config.assignment, &mut rng);
        let base = Arc::new(model);
        let mut evaluator = Evaluator::new(base.clone(), edit::limits());
        let mut context = PartContext {
            evaluator: &mut evaluator,
            proven: &proven,
            dialect: &request.target.dialect,
            config: &config,
        };
        let parts = joined.parents().map(|parent| Part::new(store, parent, &mut context, &mut rng));
        if let Some((part, parent)) = parts.iter().zip(joined.parents()).find(|(part, _)| part.formulas.is_empty()) {
            return Err(Unfit::NoFragments { seen: part.formulas.len() + parent.instance.assertions.len() });
        }
        let selectors: Vec<(FuncId, TermId)> = (0..2 * SELECTORS).filter_map(|_| fresh_selector(store)).collect();
        let [first, second] = joined.parents().map(|parent| &parent.instance);
        let mut terms: Vec<TermId> = parts.iter().flat_map(|part| &part.formulas).map(|f| f.term).collect();
        terms.extend(selectors.iter().map(|(_, term)| *term));
        let declarations = [&first.declarations[..], &second.declarations[..]].concat();
        let fresh = selectors.iter().map(|(f, _)| Command::DeclareFun(*f));
        let declarations = declarations.into_iter().chain(fresh).collect();
        let logic = if first.logic == second.logic { first.logic } else { None };
        let instance = Instance { logic, declarations, ..first.clone() };
        let preamble = session_preamble(store, &instance, &terms, request.target);
        let mut printer = Printer::new(store, &request.target.dialect);
        let selectors = selectors.iter().enumerate().map(|(n, &(func, term))| {
            let mut text = String::new();
            printer.term(term, &mut text);
            Selector { part: n / SELECTORS, func, text }
        });
        let selectors = selectors.collect();
        Ok(SpliceBatch { parts, base, source, selectors, preamble, config, unit: request.unit, last: None, store })
    }
}

/// Returns a new Boolean constant with a fresh name.
fn fresh_selector(store: &mut Store) -> Option<(FuncId, TermId)> {
    let known = store.symbols.len();
    let name = store.fresh_symbol("on", |symbol| symbol.index() < known);
    let func = store.declare(Func { name, params: Box::default(), result: SortId::BOOL, body: FuncBody::Declared });
    Some((func, store.constant_of(func).ok()?))
}

/// Logic, options and declarations of all that sessions may assert.
fn session_preamble(
    store: &mut Store,
    instance: &Instance,
    terms: &[TermId],
    target: &TargetSpelling,
) -> SessionPreamble {
    // All declarations together determine the logic, wherever functions are declared.
    let inferred = preamble::inferred_logic(store, instance, terms, target).map(str::to_string);
    let logic = inferred.map(|logic| store.symbols.intern(&logic)).or(instance.logic);
    // Each session states whether declarations outlive their levels.
    let mut options = instance.options.clone();
    options.retain(|option| !matches!(option, Command::SetOption(key, _) if &**key == GLOBAL_DECLARATIONS));
    let bare = Instance { logic, declarations: Vec::new(), options, ..instance.clone() };
    let mut made = SessionPreamble::default();
    preamble::print(store, &bare, terms, target, &mut made.head);
    let mut printer = Printer::new(store, &target.dialect);
    made.can_scope = part::has_no_definitions(&instance.declarations);
    made.can_choose_scope = target.keeps_option(GLOBAL_DECLARATIONS, "true");
    for command in preamble::needed(store, &instance.declarations, terms) {
        let mut text = String::new();
        printer.command(command, &mut text);
        text.push('\n');
        made.all.push_str(&text);
        match command {
            Command::DeclareFun(f) => drop(made.functions.insert(*f, text)),
            _ => made.sorts.push_str(&text),
        }
    }
    made
}
