//! Exhaustion: problems over finite sets decided by trying every assignment.
//!
//! A *small world* is a problem whose symbols and bound variables range over finite sets, by their sorts (`Bool`, bit-vectors,
//! floats, tables over such) or by guards in the text, such as `(or (= x 1.0) (= x 2.5))`. [`World::of`] recognises one,
//! [`decide`] answers quickly, and [`exhaust`] uses the plain evaluator alone and records what it refuted.
//!
//! What the standard leaves open (division by zero, `fp.min` of two zeros, selectors on another constructor) is a function
//! fixed outside of all quantifiers: the answer is `sat` if some such function satisfies the assertions, and `unsat`
//! only if none does.

mod answer;
mod components;
pub(crate) mod horn;
mod plain;
mod quick;
mod world;

pub(crate) use answer::ExhaustiveAnswer;
pub use answer::{ExhaustLimits, Exhaustion, Unresolved};
pub(crate) use components::proper_parts;
pub use world::NotFinite;
pub(crate) use world::{World, all_values};

use crate::domain::Domains;
use crate::meter::Stop;
use plain::PlainSearch;
use quick::QuickEnd;
use smtlib::Store;

/// Decides a small world by the plain evaluator alone. Records what was refuted; with the answer `unsat` that is everything.
pub(crate) fn exhaust(
    store: &mut Store,
    world: &World,
    limits: &ExhaustLimits,
    stop: &Stop,
) -> (ExhaustiveAnswer, Exhaustion) {
    let mut search = PlainSearch::new(world, limits, stop);
    let mut assignments = 0u64;
    let mut found = None;
    for sizes in world.sizes() {
        assignments = assignments.saturating_add(world.assignments(store, &sizes).unwrap_or(u64::MAX));
        found = search.run(store, &world.model_of(&sizes));
        if found.is_some() {
            break;
        }
    }
    let answer = match (found, search.unresolved.take()) {
        (Some(model), _) => ExhaustiveAnswer::Sat(model),
        (None, Some(why)) => ExhaustiveAnswer::Unknown(why),
        (None, None) => ExhaustiveAnswer::Unsat,
    };
    let model = world.model_of(&world.universes);
    let domains = Domains { store, model: &model };
    let constants = world.constants.iter().map(|(f, values)| (*f, values.len(&domains).unwrap_or(0))).collect();
    let (refuted, digest) = search.refuted();
    (answer, Exhaustion { constants, universes: world.universes.clone(), assignments, refuted, digest })
}

/// Decides a small world quickly: the plain evaluator decides assignments that compiled code leaves open, and checks a model.
pub(crate) fn decide(store: &mut Store, world: &World, limits: &ExhaustLimits, stop: &Stop) -> ExhaustiveAnswer {
    let mut search = PlainSearch::new(world, limits, stop);
    let mut found = None;
    for sizes in world.sizes() {
        let base = world.model_of(&sizes);
        let is_run = quick::run(store, world, &base, (limits, stop), |store, assignment| {
            // One evaluation, if it satisfies the assertions; more if they depend on functions and open values.
            found = search.run(store, assignment);
            found.is_none()
        });
        match is_run {
            QuickEnd::Refused => found = search.run(store, &base),
            QuickEnd::Stopped => search.unresolved = Some(Unresolved::Stopped),
            QuickEnd::Done => {}
        }
        if found.is_some() {
            break;
        }
    }
    match (found, search.unresolved) {
        (Some(model), _) => ExhaustiveAnswer::Sat(model),
        (None, Some(why)) => ExhaustiveAnswer::Unknown(why),
        (None, None) => ExhaustiveAnswer::Unsat,
    }
}
