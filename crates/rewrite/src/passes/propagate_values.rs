//! `propagate-values`: a term's value given by a formula is used in all other formulas.

use crate::converter::{Conversion, ModelConverter};
use crate::definitions::hidden_symbols;
use crate::goal::{Goal, GoalFormula, GoalStatus};
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass};
use crate::simplify::has_canonical_values;
use crate::substitute::{Substitution, equation, variable};
use crate::values::is_value;
use smtlib::term::HAS_VARIABLE;
use smtlib::{Store, TermId};

/// The pass.
pub static PROPAGATE_VALUES: RewritePass = RewritePass {
    name: "propagate-values",
    about: "replaces terms that a formula equates with a value by that value, to a fixed point, and drops the variables among them",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(declare-fun f (Int) Int)(declare-const p Bool)
                 (assert (= x 2))(assert (= (f x) 5))(assert (or p (< y (f 2))))(assert (not p))",
        after: &["(= (f 2) 5) (<= y 4)"],
    },
    params: &[],
    is_consequence: true,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let mut conversions = Vec::new();
    let frozen = hidden_symbols(store, goal.terms());
    for _ in 0..settings.limits.rounds {
        let before = goal.clone();
        goal = round(store, goal, &frozen, &mut conversions, &mut watch)?;
        if goal.status(store) != GoalStatus::Open || goal.same_formulas(&before) {
            break;
        }
    }
    Ok(PassResult::with(goal, ModelConverter::new(conversions)))
}

/// The information in a formula for the others.
enum FormulaFact {
    /// No information.
    None,
    /// The value of a variable; the formula is no longer needed.
    Variable,
    /// The value of a term; the formula stays.
    Term(TermId, TermId),
}

fn round(
    store: &mut Store,
    mut goal: Goal,
    frozen: &rustc_hash::FxHashSet<smtlib::FuncId>,
    conversions: &mut Vec<Conversion>,
    watch: &mut PassMeter<'_>,
) -> Result<Goal, PassError> {
    let formulas = goal.take();
    let mut substitution = Substitution::heeding(watch.stop());
    let mut facts = Vec::with_capacity(formulas.len());
    for formula in &formulas {
        let (a, b) = equation(store, formula.term)?;
        let (t, value) = if is_value(store, a) { (b, a) } else { (a, b) };
        let usable = is_value(store, value)
            && !is_value(store, t)
            && !substitution.contains(t)
            && store.flags(t) & HAS_VARIABLE == 0
            && has_canonical_values(store, store.sort(t));
        if !usable {
            facts.push(FormulaFact::None);
            continue;
        }
        substitution.insert(t, value, formula.origins.clone());
        match variable(store, t).filter(|f| !frozen.contains(f)) {
            Some(symbol) => {
                conversions.push(Conversion::Define { symbol, term: value });
                facts.push(FormulaFact::Variable);
            }
            None => facts.push(FormulaFact::Term(t, value)),
        }
    }
    for (formula, fact) in formulas.iter().zip(facts) {
        match fact {
            FormulaFact::Variable => {}
            FormulaFact::None => {
                let formula = substitution.formula(store, formula, watch)?;
                goal.push(store, formula);
            }
            FormulaFact::Term(t, value) => {
                // Its left side is the information for others; only the terms inside it are replaced.
                let inner = substitution.inside(store, t, watch)?;
                let mut origins = formula.origins.clone();
                let term = if inner == t {
                    formula.term
                } else {
                    let inside = store.args(t).to_vec();
                    for a in inside {
                        origins.add(&substitution.used(store, a));
                    }
                    let plain = store.eq(inner, value)?;
                    substitution.simplified(store, plain)?
                };
                goal.push(store, GoalFormula::new(term, origins));
            }
        }
    }
    Ok(goal)
}
