//! Several assignments of one seed, and the values of its fragments under each.

use super::config::WeaveConfig;
use super::truths::{MAX_ASSIGNMENTS, TruthVector};
use crate::assignment::{self, AssignmentKind, AssignmentSource, Chosen};
use crate::mutator::{Parent, Unfit};
use crate::rng::RandomStream;
use rustc_hash::FxHashMap;
use semantics::Model;
use smtlib::{Store, TermId};
use std::sync::Arc;

/// A formula and its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValuedFormula {
    /// The formula.
    pub term: TermId,
    /// Its value under each assignment.
    pub truths: TruthVector,
}

/// The assignments of a unit, at least two; any two of them give some fragment different values.
#[derive(Clone, Default, Debug)]
pub struct SeveralAssignments {
    /// The assignments.
    pub models: Vec<Arc<Model>>,
    /// Where each came from.
    pub sources: Vec<AssignmentSource>,
    /// The fragments with a value under some assignment, in order of discovery.
    pub fragments: Vec<ValuedFormula>,
}

/// Draws the assignments and evaluates the candidates under each.
/// Errors: [`Unfit`] if no two assignments differ in the value of a candidate.
pub fn draw(
    store: &mut Store,
    parent: &Parent,
    candidates: &[TermId],
    config: &WeaveConfig,
    rng: &mut RandomStream,
) -> Result<SeveralAssignments, Unfit> {
    let wanted = rng.between(u64::from(config.assignments.low), u64::from(config.assignments.high));
    let wanted = wanted.clamp(2, u64::from(MAX_ASSIGNMENTS)) as usize;
    let mut drawn = SeveralAssignments::default();
    let mut values: Vec<FxHashMap<TermId, bool>> = Vec::new();
    for _ in 0..2 * wanted {
        let Chosen { model, fragments, source, .. } = one(store, parent, candidates, config, &drawn, rng);
        // Values trusted from a solver are left out: each check has its own witness, and all are certified.
        let known = fragments.list.iter().filter(|f| f.certified).map(|f| (f.term, f.value));
        let known: FxHashMap<TermId, bool> = known.collect();
        if !known.is_empty() && values.iter().all(|other| differ(other, &known)) {
            drawn.models.push(model);
            drawn.sources.push(source);
            values.push(known);
        }
        if drawn.models.len() == wanted {
            break;
        }
    }
    match values.len() {
        0 => return Err(Unfit::NoFragments { seen: candidates.len() }),
        1 => return Err(Unfit::Nothing("no two assignments differ in the value of a Boolean subterm")),
        _ => {}
    }
    for &term in candidates {
        let mut truths = TruthVector::default();
        for (n, known) in values.iter().enumerate() {
            known.get(&term).into_iter().for_each(|&value| truths.set(n, value));
        }
        if truths != TruthVector::default() {
            drawn.fragments.push(ValuedFormula { term, truths });
        }
    }
    Ok(drawn)
}

/// Whether some formula has different values under the two.
fn differ(one: &FxHashMap<TermId, bool>, other: &FxHashMap<TermId, bool>) -> bool {
    one.iter().any(|(term, value)| other.get(term).is_some_and(|there| there != value))
}

/// One assignment: the first as the parameter says, later ones also as small changes of earlier ones.
fn one(
    store: &mut Store,
    parent: &Parent,
    candidates: &[TermId],
    config: &WeaveConfig,
    drawn: &SeveralAssignments,
    rng: &mut RandomStream,
) -> Chosen {
    let changed_percent = match config.assignment {
        _ if drawn.models.is_empty() => 0,
        AssignmentKind::Model => 100,
        AssignmentKind::Mixed | AssignmentKind::Search => 50,
        AssignmentKind::Random => 25,
    };
    if rng.percent(changed_percent)
        && let Some(model) = rng.pick(&drawn.models).cloned()
    {
        return assignment::changed(store, parent, candidates, config.max_depth, &model, rng);
    }
    let kind = match config.assignment {
        // One that satisfies the seed, if there is one, and others that need not.
        AssignmentKind::Mixed if drawn.models.is_empty() => AssignmentKind::Model,
        AssignmentKind::Mixed if rng.percent(20) => AssignmentKind::Search,
        AssignmentKind::Mixed => AssignmentKind::Random,
        kind => kind,
    };
    assignment::choose(store, parent, candidates, config.max_depth, kind, rng)
}
