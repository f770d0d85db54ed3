//! Models of seeds, asked of a solver once and remembered as text.

use crate::sync::lock;
use crate::target::Target;
use corpus::seed::Seed;
use mutate::assignment::{Query, write_query};
use rustc_hash::FxHashMap;
use solver::outcome::{Answer, SolverOutcome};
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The most CPU time a solver may take for a model: mutants from random assignments are made meanwhile at no cost.
const PATIENCE: Duration = Duration::from_secs(1);

/// The largest model that is kept, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// The most that all models together may hold, in bytes; what comes later is asked for whenever it is needed.
const MAX_HELD: usize = 256 << 20;

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

/// What asking for models of seeds needs of the campaign.
pub(crate) trait ModelContext {
    /// A solver was asked a script.
    fn ran(&self, solver: &Target, outcome: &SolverOutcome);
    /// What a script may take now, of what is given.
    fn limits_now(&self, solver: &Target, given: &ProcessLimits) -> ProcessLimits;
    /// Whether the campaign has ended, so that an answer may be none.
    fn is_over(&self) -> bool;
    /// A question was answered, with a model or without: it is remembered with the campaign.
    fn modelled(&self, key: ModelKey, model: Option<&str>);
}

/// The models asked for so far; one place per question, so that no two workers ask the same.
#[derive(Debug, Default)]
pub(crate) struct Models {
    places: Mutex<FxHashMap<ModelKey, ModelCell>>,
    /// The bytes of all models kept.
    held: AtomicUsize,
}

/// Filled once, by the first worker that needs it.
type ModelCell = Arc<OnceLock<Option<Arc<str>>>>;

impl Models {
    /// Puts back what was answered before; none is a question without an answer.
    pub(crate) fn restore(&self, known: impl IntoIterator<Item = (ModelKey, Option<Arc<str>>)>) {
        let mut places = lock(&self.places);
        for (key, model) in known {
            self.held.fetch_add(model.as_ref().map_or(0, |text| text.len()), Ordering::Relaxed);
            let _ = places.entry(key).or_default().set(model);
        }
    }

    /// The model's text, asked of `solver` at the first time. None if it gives none.
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
                // A question that the campaign's end cut off was not answered.
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
