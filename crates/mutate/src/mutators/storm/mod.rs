//! STORM: satisfiable mutants recombined from a seed's fragments (Mansur, Christakis, Wüstholz, Zhang, ESEC/FSE 2020,
//! Algorithm 1).
//!
//! Before: `(assert (or (> x 1) (< y x)))`. After, under x = 0, y = 5:
//! `(assert (not (> x 1)))`, `(assert (not (and (< y x) (not (> x 1)))))`, … and `sat` is the only right answer.

mod config;
mod pool;

use crate::assignment::{self, Chosen};
use crate::fragments::{self, Fragments};
use crate::mutator::{Batch, Mutant, MutantRequest, Mutator, MutatorEntry, TargetSpelling, Unfit};
use crate::preamble;
use crate::query_mode::{OpenLevels, QueryConfig, QueryMode};
use crate::rng::{RandomStream, Unit};
pub use config::{PARAMETERS, StormConfig};
use finding::Trust;
pub use pool::Pools;
use semantics::Model;
use smtlib::{Instance, Printer, Store, TermId};
use std::sync::Arc;

/// The entry of STORM.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "storm",
    about: "recombines the Boolean subterms of a seed so that an assignment satisfies every assertion",
    truth: "sat, certified by the assignment; trusted where a fragment's value is a reference solver's",
    parents: 1,
    makes_small_worlds: false,
    // Its mutants are made and answered fastest.
    share: 9,
    parameters: || PARAMETERS.parameters(),
    build: |settings| Ok(Box::new(Storm { config: StormConfig::with(settings)? })),
};

/// The STORM mutator.
#[derive(Clone, Default, Debug)]
pub struct Storm {
    /// Its parameters.
    pub config: StormConfig,
}

/// The mutants of one seed under one assignment.
pub struct StormBatch<'s> {
    store: &'s Store,
    printer: Printer<'s>,
    preamble: String,
    pools: Pools,
    config: StormConfig,
    unit: Unit,
    model: Arc<Model>,
    source: assignment::AssignmentSource,
    /// Who vouches for uncertified fragments.
    trust: Option<Arc<str>>,
    size: u64,
}

impl Mutator for Storm {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}

impl Storm {
    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit`] if no fragment has a known value.
    pub fn batch<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<StormBatch<'s>, Unfit> {
        let [parent] = request.parents else {
            return Err(Unfit::Parents { expected: ENTRY.parents, given: request.parents.len() });
        };
        let config = self.config.clone();
        let mut rng = request.unit.stream();
        let candidates = fragments::candidates(store, &parent.instance);
        let chosen = assignment::choose(store, parent, &candidates, config.max_depth, config.assignment, &mut rng);
        let Chosen { model, mut fragments, source, trust } = chosen;
        if fragments.list.is_empty() {
            return Err(Unfit::NoFragments { seen: fragments.seen });
        }
        if rng.percent(config.focus) {
            let count = rng.between(*config::FOCUS.start(), *config::FOCUS.end());
            fragments.focus(count as usize, &mut rng);
        }
        fragments.thin(config.max_fragments as usize, &mut rng);
        let pools = Pools::build(store, &fragments, &config, &mut rng);
        // From here on the store does not change, so one printer can be kept.
        let store: &'s Store = store;
        let preamble = preamble_of(store, &parent.instance, &fragments, request.target);
        let size = config.mutants.scaled(fragments.list.len());
        Ok(StormBatch {
            store,
            printer: Printer::new(store, &request.target.dialect),
            preamble,
            pools,
            config,
            unit: request.unit,
            model,
            source,
            trust,
            size,
        })
    }
}

impl StormBatch<'_> {
    /// Returns the pools that mutants are drawn from.
    pub fn pools(&self) -> &Pools {
        &self.pools
    }
}

impl Batch for StormBatch<'_> {
    fn size(&self) -> u64 {
        self.size
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        out.text.push_str(&self.preamble);
        let mut rng = self.unit.mutant_stream(index);
        let (mode, count) = shape(&self.config, &mut rng);
        let (pools, printer, config) = (&mut self.pools, &mut self.printer, &self.config);
        let start = out.text.len();
        let mut certified = true;
        write_layout(mode, count, &config.query, &mut rng, out, |rng, out| {
            let position = pools.draw(config.initial_assertion, rng);
            certified &= pools.fragment(position).certified;
            out.text.push_str(pools.assertion(position, printer));
            out.text.len() - start < config.max_bytes as usize
        });
        if !certified && let Some(who) = &self.trust {
            out.truth = Some(Trust::in_words(&**who));
        }
    }

    fn store(&self) -> &Store {
        self.store
    }

    fn witness(&mut self, _index: u64) -> Option<Arc<Model>> {
        Some(self.model.clone())
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let (mode, count) = shape(&self.config, &mut self.unit.mutant_stream(index));
        let (all, initial) = self.pools.sizes();
        let mut list = vec![
            ("campaign", self.unit.campaign.to_string()),
            ("unit", self.unit.number.to_string()),
            ("index", index.to_string()),
            ("mode", mode.describe(&self.config.query)),
            ("assertions", count.to_string()),
            ("assignment-used", self.source.to_string()),
            ("initial-pool", initial.to_string()),
            ("construction-pool", (all - initial).to_string()),
        ];
        list.extend(self.config.settings());
        list
    }
}

fn preamble_of(store: &Store, instance: &Instance, fragments: &Fragments, target: &TargetSpelling) -> String {
    let terms: Vec<TermId> = fragments.list.iter().map(|f| f.term).collect();
    let mut out = String::new();
    preamble::print(store, instance, &terms, target, &mut out);
    out
}

/// Returns the first draws of a mutant: its query mode and its number of assertions.
fn shape(config: &StormConfig, rng: &mut crate::rng::RandomStream) -> (QueryMode, u64) {
    let mode = QueryMode::draw(&config.query, rng);
    (mode, rng.between(1, u64::from(config.max_asserts)))
}

/// Writes `count` assertions and their checks. `assert` appends one assertion, and says false when no more should follow.
fn write_layout(
    mode: QueryMode,
    count: u64,
    config: &QueryConfig,
    rng: &mut RandomStream,
    out: &mut Mutant,
    mut assert: impl FnMut(&mut RandomStream, &mut Mutant) -> bool,
) {
    if mode == QueryMode::Incremental {
        return incremental(count, config, rng, out, assert);
    }
    for _ in 0..count {
        if !assert(rng, out) {
            break;
        }
    }
    mode.check(config, out);
}

/// Groups of assertions, each followed by a check, with a random push, pop or neither between them.
///
/// Every check is satisfiable, because each assertion alone is true under the one witness.
fn incremental(
    count: u64,
    config: &QueryConfig,
    rng: &mut RandomStream,
    out: &mut Mutant,
    mut assert: impl FnMut(&mut RandomStream, &mut Mutant) -> bool,
) {
    let checks = rng.between(1, u64::from(config.max_checks).min(count).max(1));
    let mut levels = OpenLevels::default();
    let mut left = count;
    for check in 0..checks {
        levels.step(rng, &mut out.text);
        // The last group takes the rest, so that the number of assertions is exactly the drawn one.
        let groups_after = checks - check - 1;
        let group = if groups_after == 0 { left } else { rng.between(1, left - groups_after) };
        left -= group;
        for _ in 0..group {
            if !assert(rng, out) {
                left = 0;
                break;
            }
        }
        QueryMode::Incremental.check(config, out);
        if left == 0 {
            break;
        }
    }
}
