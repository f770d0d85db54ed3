//! `elim-unconstrained`: an operator on a variable without other occurrences may have any value; a fresh variable replaces it, and the
//! value of the old variable is computed by the model conversion.
//!
//! The reachable values of operators on such arguments are in [`super::unconstrained`].

use super::unconstrained::{Freed, free};
use crate::converter::{Conversion, ModelConverter};
use crate::definitions::hidden_symbols;
use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula, GoalStatus};
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass};
use crate::substitute::variable;
use crate::walk::{TermMap, TermSet, bottom_up};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::term::{HAS_BINDER, HAS_VARIABLE};
use smtlib::{FuncId, Store, TermId};

/// The pass.
pub static ELIM_UNCONSTRAINED: RewritePass = RewritePass {
    name: "elim-unconstrained",
    about: "replaces operators on variables that occur only once by fresh variables, where every value can be reached",
    example: Example {
        before: "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))
                 (assert (bvult (bvmul #x03 (bvadd x (bvmul y y))) y))(assert (bvult (bvmul y y) y))",
        after: &["(and free!2 (not (= y #x00))) (bvult (bvmul y y) y)"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let frozen = hidden_symbols(store, goal.terms());
    let mut fresh = FreshSymbols::new("free");
    let mut conversions = Vec::new();
    for _ in 0..settings.limits.rounds {
        let found = conversions.len();
        goal = round(store, goal, &frozen, &mut fresh, &mut conversions, &mut watch)?;
        if conversions.len() == found || goal.status(store) != GoalStatus::Open {
            break;
        }
    }
    Ok(PassResult::with(goal, ModelConverter::new(conversions)))
}

/// Returns how often terms occur as children of others, or as formulas, in the shared graph.
fn occurrences(store: &Store, goal: &Goal, terms: &[TermId]) -> FxHashMap<TermId, u32> {
    let mut counts: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut count = |t: TermId| {
        let n = counts.entry(t).or_insert(0);
        *n = n.saturating_add(1);
    };
    for &t in terms {
        store.args(t).iter().for_each(|&a| count(a));
    }
    goal.terms().for_each(count);
    counts
}

fn round(
    store: &mut Store,
    mut goal: Goal,
    frozen: &FxHashSet<FuncId>,
    fresh: &mut FreshSymbols,
    conversions: &mut Vec<Conversion>,
    watch: &mut PassMeter<'_>,
) -> Result<Goal, PassError> {
    let terms = bottom_up(store, goal.terms());
    let counts = occurrences(store, &goal, &terms);
    // A term under a binder occurs once for every bound value.
    let mut bound = TermSet::default();
    for &t in terms.iter().rev() {
        if bound.contains(t) || store.flags(t) & HAS_BINDER != 0 && store.op(t).binder().is_some() {
            store.args(t).iter().for_each(|&a| {
                bound.insert(a);
            });
        }
    }
    let once = |t: TermId| counts.get(&t) == Some(&1);
    let mut images = TermMap::default();
    // Original terms whose image is a variable without other occurrences in the result.
    let mut loose = TermSet::default();
    for &t in &terms {
        watch.tick(store)?;
        if bound.contains(t) || store.flags(t) & HAS_VARIABLE != 0 {
            continue;
        }
        if variable(store, t).is_some_and(|f| !frozen.contains(&f)) {
            if once(t) {
                loose.insert(t);
            }
            continue;
        }
        let args = store.args(t).to_vec();
        let mapped: Vec<TermId> = args.iter().map(|&a| images.get(a).unwrap_or(a)).collect();
        let open: Vec<bool> = args.iter().map(|&a| loose.contains(a)).collect();
        let rebuilt = store.with_args(t, &mapped);
        if !open.contains(&true) {
            images.insert(t, rebuilt);
            continue;
        }
        match free(store, rebuilt, &open, fresh)? {
            Some(Freed { image, symbol, definitions }) => {
                conversions.push(Conversion::name(symbol, image, rebuilt));
                for (place, term) in definitions {
                    if let Some(symbol) = variable(store, mapped[place]) {
                        conversions.push(Conversion::Define { symbol, term });
                    }
                }
                images.insert(t, image);
                if once(t) && variable(store, image).is_some() {
                    loose.insert(t);
                }
            }
            None => images.insert(t, rebuilt),
        }
    }
    for GoalFormula { term, origins } in goal.take() {
        let image = images.get(term).unwrap_or(term);
        // A formula that is a variable without other occurrences is satisfied by making it true.
        if loose.contains(term)
            && let Some(symbol) = variable(store, image)
        {
            let truth = store.bool(true);
            conversions.push(Conversion::Define { symbol, term: truth });
            continue;
        }
        goal.push(store, GoalFormula { term: image, origins });
    }
    Ok(goal)
}
