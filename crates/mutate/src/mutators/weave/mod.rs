//! Weave: satisfiable mutants of formulas that several assignments satisfy, and assertions that steer to one of them.
//!
//! Before: `(assert (or (> x 1) (< y x)))`. After, under x = 2, y = 5 and x = 0, y = -1:
//! `(assert (xor (> x 1) (< y x)))`, which both satisfy, `(assert (= p (< y x)))` and `(assert p)`, which only the second does.

mod assignments;
mod batch;
mod config;
mod points;
mod pool;
mod session;
pub mod truths;

pub use batch::WeaveBatch;
pub use config::{PARAMETERS, WeaveConfig};

use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, Parent, Unfit};
use crate::mutators::weave::assignments::ValuedFormula;
use crate::mutators::weave::pool::WeavePool;
use crate::rng::RandomStream;
use crate::{fragments, preamble};
use smtlib::{Command, FuncId, Printer, Store, TermId};

/// The mutator's entry.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "weave",
    about: "recombines the Boolean subterms of a seed so that several assignments satisfy parts of it, and steers to one",
    truth: "sat, certified by an assignment for each check",
    parents: 1,
    makes_small_worlds: false,
    share: 1,
    parameters: || PARAMETERS.parameters(),
    build: |settings| Ok(Box::new(Weave { config: PARAMETERS.over(WeaveConfig::default(), ENTRY.name, settings)? })),
};

/// The maximum number of fragments that distinguish assignments and are kept besides a focus.
const MAX_TELLING: usize = 8;

/// The `max-depth` from which values of constants are written out, and the depth that negative numbers and fractions add.
const DEPTH_OF_POINTS: u32 = 8;
const DEPTH_OF_LITERALS: u32 = 2;

/// The mutator.
#[derive(Clone, Default, Debug)]
pub struct Weave {
    /// Its parameters.
    pub config: WeaveConfig,
}

impl Mutator for Weave {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}

impl Weave {
    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit`] if no two assignments differ in the value of a fragment.
    pub fn batch<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<WeaveBatch<'s>, Unfit> {
        let [parent] = request.parents else {
            return Err(Unfit::Parents { expected: ENTRY.parents, given: request.parents.len() });
        };
        let config = self.config.clone();
        let mut rng = request.unit.stream();
        let candidates = fragments::candidates(store, &parent.instance);
        let mut drawn = assignments::draw(store, parent, &candidates, &config, &mut rng)?;
        narrow(&mut drawn.fragments, &config, &mut rng);
        let size = config.mutants.scaled(drawn.fragments.len());
        // A literal such as `(- 16)` is one term here and two in the text.
        let (mut max_depth, mut equations, mut corners) = (config.max_depth, Vec::new(), Vec::new());
        if max_depth >= DEPTH_OF_POINTS {
            (equations, corners) = points::points(store, parent, &drawn, &mut rng);
            max_depth -= if equations.is_empty() { 0 } else { DEPTH_OF_LITERALS };
        }
        let mut initial = drawn.fragments.clone();
        let mut known: Vec<TermId> = initial.iter().map(|f| f.term).collect();
        known.sort_unstable();
        initial.extend(equations.iter().chain(&corners).filter(|f| known.binary_search(&f.term).is_err()));
        let pool = WeavePool::build(store, &initial, max_depth, (&config, request.target), &mut rng);
        if pool.known() == 0 {
            return Err(Unfit::Nothing("no Boolean subterm is as shallow as it must be"));
        }
        let corners = pool.literals_of(&corners);
        let mut selectors = Vec::new();
        for _ in &drawn.models {
            selectors.extend(pool::fresh_bool(store, "s"));
        }
        let mut terms = pool.parts();
        terms.extend(selectors.iter().map(|(_, term)| *term));
        let fresh = pool.aliases().iter().map(|alias| alias.func).chain(selectors.iter().map(|(func, _)| *func));
        let declared = with_declarations(parent, fresh);
        // From here on the store does not change, so one printer can be kept.
        let store: &'s Store = store;
        let mut text = String::new();
        preamble::print(store, &declared.instance, &terms, request.target, &mut text);
        let mut printer = Printer::new(store, &request.target.dialect);
        let selectors = selectors.iter().map(|&(func, term)| {
            let mut name = String::new();
            printer.term(term, &mut name);
            (func, name)
        });
        let selectors = selectors.collect();
        Ok(WeaveBatch {
            store,
            printer,
            preamble: text,
            pool,
            corners,
            assignments: drawn,
            selectors,
            config,
            unit: request.unit,
            size,
            last: None,
        })
    }
}

/// Keeps few fragments if the unit has a focus, and never more than the limit; some of those kept distinguish assignments.
fn narrow(list: &mut Vec<ValuedFormula>, config: &WeaveConfig, rng: &mut RandomStream) {
    let mut telling: Vec<ValuedFormula> = list.iter().copied().filter(|f| f.truths.tells_apart()).collect();
    fragments::thin(&mut telling, MAX_TELLING, rng);
    if rng.percent(config.focus) {
        let count = rng.between(*config::FOCUS.start(), *config::FOCUS.end());
        fragments::focus(list, count as usize, rng);
    }
    fragments::thin(list, config.max_fragments as usize, rng);
    telling.retain(|fragment| !list.contains(fragment));
    list.extend(telling);
}

/// Returns the parent with more declarations.
fn with_declarations(parent: &Parent, fresh: impl Iterator<Item = FuncId>) -> Parent {
    let mut parent = parent.clone();
    parent.instance.declarations.extend(fresh.map(Command::DeclareFun));
    parent
}
