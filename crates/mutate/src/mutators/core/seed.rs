//! The core of a unit: formulas without a model, and the evidence.

use super::config::CoreConfig;
use crate::guards::is_guard;
use crate::mutator::{Parent, Unfit};
use crate::preamble;
use crate::rng::RandomStream;
use crate::small_world::{CheckTruth, LIMITS, MODEST_LIMITS, decide_terms};
use smtlib::{Kind, Store, TermId};

/// The maximum size of a core that is minimised, and whose pairs are searched for false formulas.
const MAX_MINIMIZED: usize = 24;
/// False formulas of a unit, and pairs that are tried for them.
const MAX_FALSE: usize = 12;
const FALSE_TRIES: usize = 60;

/// Who vouches for a core's unsatisfiability.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CoreOrigin {
    /// No assignment of the seed's small world satisfies it.
    Exhausted,
    /// The seed's status.
    Status,
}

/// Formulas without a model.
#[derive(Clone, Debug)]
pub(super) struct CoreSeed {
    /// The formulas that confine symbols to few values; they stay unchanged.
    pub guards: Vec<TermId>,
    /// The others, with conjunctions split.
    pub pieces: Vec<TermId>,
    /// Formulas of the seed that the core does not need.
    pub needless: Vec<TermId>,
    /// Formulas that the guards refute.
    pub refuted: Vec<TermId>,
    /// Who says so.
    pub origin: CoreOrigin,
}

impl CoreSeed {
    /// Returns the core of a seed.
    ///
    /// # Errors
    /// [`Unfit`] if the seed is not known to be unsatisfiable.
    pub fn new(
        store: &mut Store,
        parent: &Parent,
        config: &CoreConfig,
        rng: &mut RandomStream,
    ) -> Result<CoreSeed, Unfit> {
        let instance = &parent.instance;
        if instance.incomplete {
            return Err(Unfit::Nothing("the seed has commands that are not understood"));
        }
        let unproven = preamble::needs_unproven(store, &instance.declarations);
        if instance.assertions.iter().any(|t| unproven[t.index()]) {
            return Err(Unfit::Nothing("a recursive definition of the seed is not proven total"));
        }
        let facts = conjuncts(store, &instance.assertions);
        let origin = match decide_terms(store, &facts, &LIMITS) {
            Ok(CheckTruth::Unsat(_)) => CoreOrigin::Exhausted,
            Ok(CheckTruth::Sat(_)) => return Err(Unfit::Nothing("the seed is satisfiable, so it has no core")),
            Err(_) if preamble::is_labelled_unsat(store, instance) => CoreOrigin::Status,
            Err(_) => {
                return Err(Unfit::Nothing(
                    "neither exhaustion nor its :status says that the seed is unsatisfiable, so it has no core",
                ));
            }
        };
        let (guards, pieces) = facts.into_iter().partition(|&t| is_guard(store, t));
        let mut seed = CoreSeed { guards, pieces, needless: Vec::new(), refuted: Vec::new(), origin };
        if origin == CoreOrigin::Exhausted && seed.pieces.len() <= MAX_MINIMIZED && rng.percent(config.minimal) {
            seed.minimize(store, rng);
        }
        Ok(seed)
    }

    /// Whether the guards and these formulas have no model, by exhaustion.
    pub fn is_refuted_with(&self, store: &mut Store, pieces: &[TermId]) -> bool {
        let all = [&self.guards[..], pieces].concat();
        self.origin == CoreOrigin::Exhausted
            && matches!(decide_terms(store, &all, &MODEST_LIMITS), Ok(CheckTruth::Unsat(_)))
    }

    /// Removes formulas one by one while the rest stays unsatisfiable.
    fn minimize(&mut self, store: &mut Store, rng: &mut RandomStream) {
        let mut order = self.pieces.clone();
        rng.shuffle(&mut order);
        for piece in order {
            let mut rest = self.pieces.clone();
            rest.retain(|&t| t != piece);
            if self.is_refuted_with(store, &rest) {
                self.pieces = rest;
                self.needless.push(piece);
            }
        }
    }

    /// Finds formulas that no assignment of the guards makes true.
    pub fn find_false(&mut self, store: &mut Store, literals: &[TermId], rng: &mut RandomStream) {
        if self.origin != CoreOrigin::Exhausted {
            return;
        }
        for _ in 0..FALSE_TRIES {
            let (Some(&a), Some(&b)) = (rng.pick(literals), rng.pick(literals)) else { return };
            let formula = if a == b { a } else { store.and(&[a, b]) };
            if self.refuted.len() < MAX_FALSE
                && !self.refuted.contains(&formula)
                && self.is_refuted_with(store, &[formula])
            {
                self.refuted.push(formula);
            }
        }
    }
}

/// Returns the assertions with conjunctions split, each once.
fn conjuncts(store: &Store, assertions: &[TermId]) -> Vec<TermId> {
    let mut open: Vec<TermId> = assertions.iter().rev().copied().collect();
    let mut found = Vec::new();
    while let Some(t) = open.pop() {
        match store.kind(t) {
            Kind::And => open.extend(store.args(t).iter().rev()),
            _ if found.contains(&t) => {}
            _ => found.push(t),
        }
    }
    found
}
