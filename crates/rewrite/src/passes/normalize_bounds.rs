//! `normalize-bounds`: a number with a lower bound becomes that bound plus a nonnegative number.

use crate::converter::{Conversion, ModelConverter};
use crate::definitions::hidden_symbols;
use crate::fresh::FreshSymbols;
use crate::goal::Goal;
use crate::interval::bounds;
use crate::linear::number_term;
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::substitute::{Substitution, variable};
use dashu_ratio::RBig;
use smtlib::{Kind, Op, SortId, Store, TermId};

/// The pass.
pub static NORMALIZE_BOUNDS: RewritePass = RewritePass {
    name: "normalize-bounds",
    about: "shifts numbers with a lower bound so that the bound is 0",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(assert (<= 5 x))(assert (<= (+ x y) 20))",
        after: &["(not (<= shifted!0 (- 1))) (<= (+ y shifted!0) 15)"],
    },
    params: &[],
    is_consequence: true,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let frozen = hidden_symbols(store, goal.terms());
    let known = bounds(store, &goal);
    let mut shifts: Vec<(TermId, RBig)> = known
        .into_iter()
        .filter(|(x, _)| variable(store, *x).is_some_and(|f| !frozen.contains(&f)))
        .filter_map(|(x, bounds)| Some((x, bounds.lower?.value)))
        .filter(|(_, least)| !least.is_zero())
        .collect();
    shifts.sort_by_key(|shift| shift.0);
    let mut fresh = FreshSymbols::new("shifted");
    let mut substitution = Substitution::heeding(watch.stop());
    let mut conversions = Vec::with_capacity(2 * shifts.len());
    for (x, least) in shifts {
        let Some(symbol) = variable(store, x) else { continue };
        let sort = store.sort(x);
        let (shifted, name) = fresh.constant(store, sort);
        let least = number_term(store, sort, &least);
        let (plus, minus) =
            if sort == SortId::INT { (Kind::IntAdd, Kind::IntSub) } else { (Kind::RealAdd, Kind::RealSub) };
        let term = store.app(Op::new(plus), &[name, least])?;
        let distance = store.app(Op::new(minus), &[x, least])?;
        // For any bound, every number is a sum with it: nothing depends on an assertion.
        substitution.insert(x, term, Origins::none());
        conversions.extend([Conversion::Define { symbol, term }, Conversion::name(shifted, name, distance)]);
    }
    if substitution.is_empty() {
        return Ok(PassResult::new(goal));
    }
    for formula in goal.take() {
        let formula = substitution.formula(store, &formula, &mut watch)?;
        goal.push(store, formula);
    }
    Ok(PassResult::with(goal, ModelConverter::new(conversions)))
}
