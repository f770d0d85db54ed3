//! Models of seeds, asked of a solver once and remembered as text.

use crate::seed::Seed;
use crate::stats::Counters;
use crate::target::Target;
use mutate::assignment::query::{self, Query};
use rustc_hash::FxHashMap;
use solver::outcome::Answer;
use solver::process::Limits;
use solver::session::Purpose;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The longest a solver may take for a model: mutants from random assignments are made meanwhile at no cost.
const PATIENCE: Duration = Duration::from_secs(1);

/// The largest model that is kept, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// What a model is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ModelKey {
    /// The position of the seed.
    pub seed: usize,
    /// The check of the seed.
    pub instance: usize,
    /// Whether it is of the assertions' negation.
    pub negated: bool,
}

/// The models asked for so far; one place per question, so that no two workers ask the same.
#[derive(Debug, Default)]
pub struct Models {
    places: Mutex<FxHashMap<ModelKey, Place>>,
}

/// Filled once, by the first worker that needs it.
type Place = Arc<OnceLock<Option<Arc<str>>>>;

impl Models {
    /// The model's text, asked of `solver` at the first time. None if it gives none.
    pub fn get(
        &self,
        key: ModelKey,
        seed: &mut Seed,
        solver: &Target,
        limits: &Limits,
        counters: &Counters,
    ) -> Option<Arc<str>> {
        // A worker that panicked while holding the map left it whole: it only ever inserts.
        let place =
            Arc::clone(self.places.lock().unwrap_or_else(std::sync::PoisonError::into_inner).entry(key).or_default());
        place.get_or_init(|| ask(key, seed, solver, limits, counters)).clone()
    }
}

fn ask(key: ModelKey, seed: &mut Seed, solver: &Target, limits: &Limits, counters: &Counters) -> Option<Arc<str>> {
    let instance = seed.instances.get(key.instance)?;
    let mut text = String::new();
    let query = if key.negated { Query::Negation } else { Query::Assertions };
    query::write(&mut seed.store, instance, query, &solver.spelling, &mut text);
    let limits = Limits { wall: limits.wall.min(PATIENCE), ..limits.clone() };
    let outcome = solver.solver.check(&text, Purpose::MODELS, &limits).ok()?;
    counters.spent(outcome.cpu);
    let check = outcome.answers.into_iter().next()?;
    let model = check.responses.into_iter().next()?;
    (check.answer == Answer::Sat && model.len() <= MAX_BYTES).then(|| model.into())
}
