//! Exhaustion: problems over finite sets decided by looking at every assignment.
//!
//! A *small world* is a problem whose symbols and bound variables range over finite sets, by their sorts (`Bool`, bit-vectors,
//! floats, tables over such) or by guards in the text, such as `(or (= x 1.0) (= x 2.5))`. [`World::of`] recognises one,
//! [`decide`] answers quickly, and [`exhaust`] by the plain evaluator alone, with a record of what it refuted.
//!
//! What the standard leaves open (division by zero, `fp.min` of two zeros, selectors on another constructor) is a function
//! fixed outside of all quantifiers: the answer is `sat` if some such function satisfies the assertions, and `unsat`
//! only if none does.

mod plain;
mod quick;
mod world;

pub use world::{NotFinite, World};

use crate::domain::Domains;
use crate::meter::Stop;
use crate::model::Model;
use crate::unknown::Reason;
use plain::Search;
use quick::Run;
use smtlib::{FuncId, Op, SortId, Store};

/// What an exhaustion may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExhaustLimits {
    /// The most assignments of the constants.
    pub assignments: u64,
    /// The most values that one symbol, or one open application, may take.
    pub values: u64,
    /// The most partial assignments under which the assertions are evaluated.
    pub evaluations: u64,
    /// What each evaluation of the assertions may spend.
    pub each: crate::Limits,
}

impl Default for ExhaustLimits {
    fn default() -> ExhaustLimits {
        let each = crate::Limits { steps: 1 << 22, ..crate::Limits::default() };
        ExhaustLimits { assignments: 1 << 20, values: 1 << 16, evaluations: 1 << 20, each }
    }
}

/// What is true of a small world.
#[derive(Clone, Debug)]
pub enum Answer {
    /// All assertions are true under the model. Where [`Model::choices`] is not empty, the model rests on a value that the
    /// standard leaves open.
    Sat(Model),
    /// Under every assignment, and every choice of what the standard leaves open, an assertion is false.
    Unsat,
    /// Some assignment could be neither refuted nor shown to satisfy the assertions.
    Unknown(Unresolved),
}

/// The record of an exhaustion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exhaustion {
    /// The constants that occur, with the number of values each was given.
    pub constants: Vec<(FuncId, u64)>,
    /// The uninterpreted sorts, with the largest universe that was tried; all smaller ones were tried, too.
    pub universes: Vec<(SortId, u32)>,
    /// The assignments of the constants, over all universes.
    pub assignments: u64,
    /// The partial assignments that were refuted. They share no assignment, and together they are all.
    pub refuted: u64,
    /// SHA-256 of the refuted partial assignments in order, one line each, with the number of the assertion that is false.
    pub digest: [u8; 32],
}

/// Why a small world was not decided.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unresolved {
    /// An operator's value is open and has infinitely many candidates.
    #[error("the value of {} is open, and any of infinitely many", name(*.0))]
    Choice(Op),
    /// A function's value is open and has infinitely many candidates.
    #[error("a function has infinitely many results, and no guard confines them")]
    Function(FuncId),
    /// An assertion's value is not known under a full assignment.
    #[error("an assertion has no known value: {0}")]
    Value(Reason),
    /// The time is up, or the answer is no longer wanted.
    #[error("the time is up")]
    Stopped,
    /// More evaluations than allowed.
    #[error("more than {0} evaluations are needed")]
    Evaluations(u64),
}

/// Decides a small world by the plain evaluator alone. The record is of what was refuted on the way; with the answer `unsat`
/// that is everything.
pub fn exhaust(store: &mut Store, world: &World, limits: &ExhaustLimits, stop: &Stop) -> (Answer, Exhaustion) {
    let mut search = Search::new(world, limits, stop);
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
        (Some(model), _) => Answer::Sat(model),
        (None, Some(why)) => Answer::Unknown(why),
        (None, None) => Answer::Unsat,
    };
    let model = world.model_of(&world.universes);
    let domains = Domains { store, model: &model };
    let constants = world.constants.iter().map(|(f, values)| (*f, values.len(&domains).unwrap_or(0))).collect();
    let (refuted, digest) = search.refuted();
    (answer, Exhaustion { constants, universes: world.universes.clone(), assignments, refuted, digest })
}

/// Decides a small world quickly: assignments that compiled code leaves undecided are given to the plain evaluator, and a model
/// is checked by it.
pub fn decide(store: &mut Store, world: &World, limits: &ExhaustLimits, stop: &Stop) -> Answer {
    let mut search = Search::new(world, limits, stop);
    let mut found = None;
    for sizes in world.sizes() {
        let base = world.model_of(&sizes);
        let is_run = quick::run(store, world, &base, (limits, stop), |store, assignment| {
            // One evaluation, if it satisfies the assertions; more where they rest on functions and open values.
            found = search.run(store, assignment);
            found.is_none()
        });
        match is_run {
            Run::Refused => found = search.run(store, &base),
            Run::Stopped => search.unresolved = Some(Unresolved::Stopped),
            Run::Done => {}
        }
        if found.is_some() {
            break;
        }
    }
    match (found, search.unresolved) {
        (Some(model), _) => Answer::Sat(model),
        (None, Some(why)) => Answer::Unknown(why),
        (None, None) => Answer::Unsat,
    }
}

fn name(op: Op) -> &'static str {
    smtlib::theories::row(op.kind).map_or("a selector", |row| row.name)
}
