//! `extract-equalities`: variables and values that `=` equates are merged.
//!
//! Only `=` makes classes: `fp.eq` holds for +0 and -0 but not for NaN and itself.

use crate::converter::Conversion;
use crate::eliminate::eliminate;
use crate::goal::Goal;
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass};
use crate::simplify::has_canonical_values;
use crate::substitute::{Substitution, equation, variable};
use crate::values::is_value;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{FuncId, Kind, Store, TermId};

/// The pass.
pub static EXTRACT_EQUALITIES: RewritePass = RewritePass {
    name: "extract-equalities",
    about: "lets variables and values that formulas equate by `=` share one representative",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(declare-const z Int)
                 (assert (= x y))(assert (= z y))(assert (< x 3))(assert (< z (* 2 y)))",
        after: &["(<= x 2) (not (<= x 0))"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    eliminate(store, goal, settings, round)
}

/// Classes of variables and values: a union-find whose roots are representatives.
#[derive(Default)]
struct Classes {
    parent: FxHashMap<TermId, TermId>,
    /// Why the members of a root's class are equal.
    origins: FxHashMap<TermId, Origins>,
    /// All terms in the order met.
    members: Vec<TermId>,
}

impl Classes {
    fn root(&mut self, t: TermId) -> TermId {
        let mut root = t;
        while let Some(&up) = self.parent.get(&root) {
            root = up;
        }
        // Path compression keeps chains short.
        let mut next = t;
        while next != root {
            next = self.parent.insert(next, root).unwrap_or(root);
        }
        root
    }

    fn add(&mut self, t: TermId) {
        self.origins.entry(t).or_insert_with(|| {
            self.members.push(t);
            Origins::none()
        });
    }

    /// Merges two classes; `up` becomes the root of both.
    fn join(&mut self, down: TermId, up: TermId, why: &Origins) {
        let below = self.origins.get(&down).cloned().unwrap_or_default();
        self.parent.insert(down, up);
        if let Some(origins) = self.origins.get_mut(&up) {
            origins.add(&below);
            origins.add(why);
        }
    }
}

fn round(
    store: &mut Store,
    mut goal: Goal,
    frozen: &FxHashSet<FuncId>,
    conversions: &mut Vec<Conversion>,
    watch: &mut PassMeter<'_>,
) -> Result<Goal, PassError> {
    let mut classes = Classes::default();
    let mut rest = Vec::new();
    for formula in goal.take() {
        let pairs = equated(store, formula.term)?;
        let mut keep = pairs.is_empty();
        for (a, b) in pairs {
            classes.add(a);
            classes.add(b);
            let (x, y) = (classes.root(a), classes.root(b));
            if x == y {
                continue;
            }
            if is_value(store, x) && is_value(store, y) {
                let mut why = formula.origins.clone();
                why.add(&Origins::all([x, y].iter().filter_map(|t| classes.origins.get(t))));
                return Ok(goal.refuted(store, why));
            }
            // A value represents its class; of two variables one that must stay, or else the older.
            let stays = |t: TermId| is_value(store, t) || variable(store, t).is_some_and(|f| frozen.contains(&f));
            let (down, up) = match (stays(x), stays(y)) {
                (true, true) => {
                    keep = true;
                    continue;
                }
                (true, false) => (y, x),
                (false, true) => (x, y),
                (false, false) => (x.max(y), x.min(y)),
            };
            classes.join(down, up, &formula.origins);
        }
        if keep {
            rest.push(formula);
        }
    }
    let mut substitution = Substitution::heeding(watch.stop());
    for t in classes.members.clone() {
        let root = classes.root(t);
        if let Some(symbol) = variable(store, t).filter(|_| root != t) {
            let why = classes.origins.get(&root).cloned().unwrap_or_default();
            substitution.insert(t, root, why);
            conversions.push(Conversion::Define { symbol, term: root });
        }
    }
    for formula in &rest {
        let formula =
            if substitution.is_empty() { formula.clone() } else { substitution.formula(store, formula, watch)? };
        goal.push(store, formula);
    }
    Ok(goal)
}

/// Returns the pairs of variables and values that a formula equates; `None` for any other formula.
fn equated(store: &mut Store, t: TermId) -> Result<Vec<(TermId, TermId)>, PassError> {
    let usable = |store: &Store, t: TermId| {
        is_value(store, t) && has_canonical_values(store, store.sort(t)) || variable(store, t).is_some()
    };
    let chain: Vec<TermId> = if store.kind(t) == Kind::Eq {
        store.args(t).to_vec()
    } else {
        let (a, b) = equation(store, t)?;
        vec![a, b]
    };
    if !chain.iter().all(|&a| usable(store, a)) {
        return Ok(Vec::new());
    }
    Ok(chain.windows(2).map(|w| (w[0], w[1])).collect())
}
