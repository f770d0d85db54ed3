//! `add-bounds`: every integer variable is bounded, an under-approximation.

use crate::goal::{Goal, GoalFormula, Precision};
use crate::interval::bounded;
use crate::linear::number_term;
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass, TacticParameter};
use crate::substitute::variables;
use dashu_ratio::RBig;
use smtlib::{Kind, Op, SortId, Store};

/// The default bound.
const BOUND: TacticParameter =
    TacticParameter { name: "bound", about: "variables are bounded by minus this and this", default: 64, words: &[] };

/// The pass.
pub static ADD_BOUNDS: RewritePass = RewritePass {
    name: "add-bounds",
    about: "bounds every integer variable that has no bound from both sides; only sat of the result is an answer",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(assert (< (* x x) y))(assert (<= y 10))",
        after: &["(< (* x x) y) (<= y 10) (<= (- 64) x) (<= x 64) (<= (- 64) y)"],
    },
    params: &[BOUND],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let bound = RBig::from(settings.params.number(&BOUND));
    let (below, above) = bounded(store, &goal);
    for (x, _) in variables(store, goal.terms()) {
        if store.sort(x) != SortId::INT {
            continue;
        }
        if !below.contains(&x) {
            let least = number_term(store, SortId::INT, &-bound.clone());
            let atom = store.app(Op::new(Kind::IntLe), &[least, x])?;
            goal.push(store, GoalFormula::new(atom, Origins::none()));
            goal.precision = goal.precision.then(Precision::Under);
        }
        if !above.contains(&x) {
            let greatest = number_term(store, SortId::INT, &bound);
            let atom = store.app(Op::new(Kind::IntLe), &[x, greatest])?;
            goal.push(store, GoalFormula::new(atom, Origins::none()));
            goal.precision = goal.precision.then(Precision::Under);
        }
    }
    Ok(PassResult::new(goal))
}
