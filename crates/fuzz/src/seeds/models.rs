//! Models of seeds, requested from a solver once and cached as text.

use crate::sync::lock;
use crate::under_test::Target;
use corpus::seed::Seed;
use mutate::assignment::{Query, write_query};
use rustc_hash::FxHashMap;
use solver::outcome::{Answer, SolverOutcome};
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The maximum CPU time of a solver for a model: mutants from random assignments cost nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The maximum size of a stored model, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// The maximum total size of all models, in bytes; later ones are requested again whenever needed.
const MAX_HELD: usize = 256 << 20;

/// The identification of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ModelKey {
    /// The position of the seed.
    pub seed: usize,
    /// The check of the seed.
    pub instance: usize,
    /// Whether the assertions are negated.
    pub negated: bool,
}

/// The parts of the campaign that requests for models need.
pub(crate) trait ModelContext {
    /// Called after a solver's run.
    fn ran(&self, solver: &Target, outcome: &SolverOutcome);
    /// Returns the current limits of a script, given the usual ones.
    fn limits_now(&self, solver: &Target, given: &ProcessLimits) -> ProcessLimits;
    /// Whether the campaign has ended, so an answer may be missing.
    fn is_over(&self) -> bool;
    /// Called for each answered question, with or without a model, to store it with the campaign.
    fn modelled(&self, key: ModelKey, model: Option<&str>);
}

/// The models requested so far; one slot per question, so that no two workers ask the same.
#[derive(Debug, Default)]
pub(crate) struct Models {
    places: Mutex<FxHashMap<ModelKey, ModelCell>>,
    /// The total size of all models.
    held: AtomicUsize,
}

/// Filled once, by the first worker that needs it.
type ModelCell = Arc<OnceLock<Option<Arc<str>>>>;

impl Models {
    /// Restores earlier answers; `None` is a question without a model.
    pub(crate) fn restore(&self, known: impl IntoIterator<Item = (ModelKey, Option<Arc<str>>)>) {
        let mut places = lock(&self.places);
        for (key, model) in known {
            self.held.fetch_add(model.as_ref().map_or(0, |text| text.len()), Ordering::Relaxed);
            let _ = places.entry(key).or_default().set(model);
        }
    }

    /// Returns the model's text, asking `solver` the first time. `None` if it gives none.
    pub fn get(
        &self,
        key: ModelKey,
        seed: &mut Seed,
        solver: &Target,
        limits: &ProcessLimits,
        context: &dyn ModelContext,
    ) -> Option<Arc<str>> {
        let place = Arc::clone(lock(&self.places).entry(key).or_default());
        if place.get().is_none() && self.held.load(Ordering::Relaxed) >= MAX_HELD {
            return ask(key, seed, solver, limits, context);
        }
        place
            .get_or_init(|| {
                let model = ask(key, seed, solver, limits, context);
                self.held.fetch_add(model.as_ref().map_or(0, |text| text.len()), Ordering::Relaxed);
                // A question interrupted by the campaign's end was not answered.
                if !context.is_over() {
                    context.modelled(key, model.as_deref());
                }
                model
            })
            .clone()
    }
}

fn ask(
    key: ModelKey,
    seed: &mut Seed,
    solver: &Target,
    limits: &ProcessLimits,
    context: &dyn ModelContext,
) -> Option<Arc<str>> {
    let instance = seed.instances.get(key.instance)?;
    let mut text = String::new();
    let query = if key.negated { Query::Negation } else { Query::Assertions };
    write_query(&mut seed.store, instance, query, &solver.tested.spelling, &mut text);
    let limits = ProcessLimits { script_cpu: Some(PATIENCE), ..limits.clone() };
    let limits = context.limits_now(solver, &limits);
    let outcome = solver.tested.solver.check(&text, SessionNeeds::MODELS, &limits).ok()?;
    context.ran(solver, &outcome);
    let check = outcome.answers.into_iter().next()?;
    let model = check.responses.into_iter().next()?;
    (check.answer == Answer::Sat && model.len() <= MAX_BYTES).then(|| model.into())
}
