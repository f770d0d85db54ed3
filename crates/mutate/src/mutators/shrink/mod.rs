//! Small worlds made from seeds: every symbol and variable is confined to few values, the rest is unchanged.
//!
//! Before: `(assert (< (* x x) (+ y 7)))`. After: the same with `(assert (or (= x 3) (= x (- 1))))` and `(assert (<= 0
//! y 4))` in front of it. The evaluator tries every assignment, so `unsat` is as certain as `sat`.

mod draw;
pub mod narrow;
mod seed;

use crate::mutator::{Batch, GivenModel, Mutant, MutantRequest, Mutator, MutatorEntry, Parent, TargetSpelling, Unfit};
use crate::parameter::{number, parameters, percent};
use crate::rng::Unit;
use crate::{preamble, small_world};
use draw::{NotShrunk, ShrunkSeed, WorldSize};
use finding::Trust;
use seed::ShrinkSeed;
use semantics::Model;
use smtlib::{Instance, Store, TermId};
use std::sync::Arc;

/// The mutator's entry.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "shrink",
    about: "confines every symbol and variable of a seed to few values",
    truth: "sat or unsat, certified by exhaustion",
    parents: 1,
    makes_small_worlds: true,
    share: 1,
    parameters: || PARAMETERS.parameters(),
    build: |settings| Ok(Box::new(PARAMETERS.over(ShrinkMutator::default(), ENTRY.name, settings)?)),
};

/// The maximum number of draws of a mutant until exhaustion decides it, and of tries until a seed is unfit.
const MAX_DRAWS: u64 = 4;

parameters! { PARAMETERS of
    /// Makes small worlds from seeds.
    #[derive(Clone, Debug)]
    ShrinkMutator;

    mutants: u32 = 64 => number("mutants", 1) "mutants per unit, at least 1";
    values: u32 = 6 => number("values", 1) "maximum values per symbol";
    /// Constants of uninterpreted sorts do not count.
    assignments: u32 = 2048 => number("assignments", 1) "maximum assignments of all constants";
    narrow: u32 = 50 => percent("narrow") "how often bit-vectors are narrowed first, if possible";
}

/// The small worlds made from one seed.
pub struct ShrinkBatch<'s> {
    mutants: u32,
    /// The seed's terms, to which each mutant adds its own.
    base: Store,
    seed: ShrinkSeed,
    size: WorldSize,
    settings: Vec<(&'static str, String)>,
    target: &'s TargetSpelling,
    unit: Unit,
    /// The last mutant, with its index.
    last: Option<(u64, Result<ShrunkSeed, NotShrunk>)>,
    store: Store,
}

impl ShrinkMutator {
    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit`] if the seed cannot be made finite, or exhaustion decides no draw.
    pub fn batch<'s>(&self, store: &mut Store, request: MutantRequest<'s>) -> Result<ShrinkBatch<'s>, Unfit> {
        let [parent] = request.parents else {
            return Err(Unfit::Parents { expected: ENTRY.parents, given: request.parents.len() });
        };
        let mut rng = request.unit.stream();
        let narrowed = match rng.percent(self.narrow) {
            true => narrow::narrow(store, &parent.instance, &mut rng),
            false => None,
        };
        let seed = match narrowed {
            None => ShrinkSeed::new(store, parent, &mut rng)?,
            Some((narrower, instance)) => {
                *store = narrower;
                ShrinkSeed::new(store, &Parent { instance, given: GivenModel::Nothing }, &mut rng)?
            }
        };
        let size = WorldSize { values: self.values, assignments: self.assignments };
        let mut fails = None;
        for _ in 0..MAX_DRAWS {
            fails = draw::draw(&mut store.clone(), &seed, size, &mut rng).err();
            if fails.is_none() {
                break;
            }
        }
        if let Some(reason) = fails {
            return Err(Unfit::NotFinite(reason.to_string()));
        }
        Ok(ShrinkBatch {
            mutants: self.mutants,
            base: store.clone(),
            seed,
            size,
            settings: PARAMETERS.settings(self),
            target: request.target,
            unit: request.unit,
            last: None,
            store: Store::new(),
        })
    }
}

impl Mutator for ShrinkMutator {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}

impl ShrinkBatch<'_> {
    /// Returns the world at an index.
    fn world(&mut self, index: u64) -> &Result<ShrunkSeed, NotShrunk> {
        let last = match self.last.take() {
            Some(last) if last.0 == index => last,
            _ => (index, self.drawn(index)),
        };
        &self.last.insert(last).1
    }

    fn drawn(&mut self, index: u64) -> Result<ShrunkSeed, NotShrunk> {
        let mut rng = self.unit.mutant_stream(index);
        let mut draws = 1;
        loop {
            self.store = self.base.clone();
            let drawn = draw::draw(&mut self.store, &self.seed, self.size, &mut rng);
            if drawn.is_ok() || draws == MAX_DRAWS {
                return drawn;
            }
            draws += 1;
        }
    }
}

impl Batch for ShrinkBatch<'_> {
    fn size(&self) -> u64 {
        u64::from(self.mutants)
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        let Ok(world) = self.world(index).clone() else { return };
        let terms: Vec<TermId> = world.guards.iter().chain(&world.assertions).copied().collect();
        let seed = &self.seed.instance;
        let logic = match world.is_beyond {
            true => seed.logic.map(|_| self.store.symbols.intern("ALL")),
            false => seed.logic,
        };
        let instance = Instance { logic, ..seed.clone() };
        preamble::print_check(&self.store, &instance, &terms, self.target, &mut out.text);
        out.expected.push(small_world::expected(&world.truth));
        out.truth = Some(Trust::Certified);
    }

    fn store(&self) -> &Store {
        &self.store
    }

    fn witness(&mut self, index: u64) -> Option<Arc<Model>> {
        small_world::witness(std::slice::from_ref(&self.world(index).as_ref().ok()?.truth))
    }

    fn failure(&self) -> Option<String> {
        Some(self.last.as_ref()?.1.as_ref().err()?.to_string())
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let mut list = vec![
            ("campaign", self.unit.campaign.to_string()),
            ("unit", self.unit.number.to_string()),
            ("index", index.to_string()),
        ];
        list.extend(self.settings.iter().cloned());
        list
    }
}
