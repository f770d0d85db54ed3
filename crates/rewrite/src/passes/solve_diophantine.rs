//! `solve-diophantine`: linear integer equations with any coefficients are solved by Euclid's algorithm, with parameters for free
//! dimensions (Knuth, "The Art of Computer Programming", volume 2, section 4.5.2, algorithm X for several variables).

use crate::converter::Conversion;
use crate::eliminate::eliminate;
use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula};
use crate::linear::{Linear, fits};
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass};
use crate::substitute::{Substitution, variable};
use crate::values::app;
use dashu_base::Abs;
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;
use smtlib::{FuncId, Kind, SortId, Store, TermId};
use std::collections::BTreeMap;

/// The maximum number of divisions for one equation. Each makes all coefficients smaller than the smallest was.
const MAX_DIVISIONS: usize = 1000;

/// The pass.
pub static SOLVE_DIOPHANTINE: RewritePass = RewritePass {
    name: "solve-diophantine",
    about: "solves linear equations of integers with any coefficients, and eliminates their variables",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(declare-const z Int)
                 (assert (= (+ (* 6 x) (* 10 y)) 4))(assert (< x z))",
        after: &["(not (<= (+ z (* 5 parameter!1)) (- 1)))"],
    },
    params: &[],
    is_consequence: true,
    rewrite: apply,
};

fn apply(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    eliminate(store, goal, settings, round)
}

/// Solves the equations that share no variable with an earlier one.
fn round(
    store: &mut Store,
    mut goal: Goal,
    frozen: &FxHashSet<FuncId>,
    conversions: &mut Vec<Conversion>,
    watch: &mut PassMeter<'_>,
) -> Result<Goal, PassError> {
    let mut names = FreshSymbols::new("parameter");
    let mut substitution = Substitution::heeding(watch.stop());
    let mut taken: FxHashSet<TermId> = FxHashSet::default();
    let mut left = Vec::with_capacity(goal.len());
    for formula in goal.take() {
        watch.tick(store)?;
        let equation = equation(store, formula.term, frozen);
        let Some(equation) = equation.filter(|sum| sum.monomials.keys().all(|x| !taken.contains(x))) else {
            left.push(formula);
            continue;
        };
        match solved(store, &equation, &mut names)? {
            DiophantineSolution::None => {
                let no = store.bool(false);
                left.push(GoalFormula::new(no, formula.origins));
            }
            DiophantineSolution::Unknown => left.push(formula),
            DiophantineSolution::All { values, parameters } => {
                for (x, value) in values {
                    taken.insert(x);
                    let Some(symbol) = variable(store, x) else { continue };
                    let term = value.to_term(store, SortId::INT)?;
                    substitution.insert(x, term, formula.origins.clone());
                    conversions.push(Conversion::Define { symbol, term });
                }
                conversions.extend(parameters);
            }
        }
    }
    for formula in left {
        let formula = match substitution.is_empty() {
            true => formula,
            false => substitution.formula(store, &formula, watch)?,
        };
        goal.push(store, formula);
    }
    Ok(goal)
}

/// Returns a formula as a sum of variables that is zero, with coprime coefficients.
fn equation(store: &Store, t: TermId, frozen: &FxHashSet<FuncId>) -> Option<Linear> {
    let &[a, b] = store.args(t) else { return None };
    if store.kind(t) != Kind::Eq || store.sort(a) != SortId::INT {
        return None;
    }
    let mut sum = Linear::of(store, a);
    sum.add(&Linear::of(store, b), &RBig::NEG_ONE);
    let is_free = |x: &TermId| variable(store, *x).is_some_and(|f| !frozen.contains(&f));
    if sum.monomials.is_empty() || !sum.monomials.keys().all(is_free) {
        return None;
    }
    let factor = sum.primitive_factor();
    sum.scale(&factor);
    Some(sum)
}

/// The solutions of an equation.
enum DiophantineSolution {
    /// There are none.
    None,
    /// The variables with their values in terms of new parameters and remaining variables.
    All { values: Vec<(TermId, Linear)>, parameters: Vec<Conversion> },
    /// Numbers grew too large.
    Unknown,
}

/// Solves `sum = 0`. While no coefficient is one, a parameter replaces the variable with the smallest, which reduces all others to
/// remainders.
fn solved(store: &mut Store, sum: &Linear, names: &mut FreshSymbols) -> Result<DiophantineSolution, PassError> {
    if !sum.constant.is_int() {
        return Ok(DiophantineSolution::None);
    }
    let mut sum = sum.clone();
    let mut values: BTreeMap<TermId, Linear> = BTreeMap::new();
    for &x in sum.monomials.keys() {
        let mut value = Linear::default();
        value.add_monomial(x, &RBig::ONE);
        values.insert(x, value);
    }
    let mut parameters = Vec::new();
    for _ in 0..MAX_DIVISIONS {
        let smallest = sum.monomials.iter().min_by_key(|(x, factor)| ((*factor).clone().abs(), **x));
        let Some((&x, factor)) = smallest else { return Ok(DiophantineSolution::Unknown) };
        let factor = factor.clone();
        // factor * x + rest = 0, so x = parameter - sum of quotients.
        let mut value = Linear::default();
        let is_unit = factor.clone().abs().is_one();
        for (&y, c) in sum.monomials.iter().filter(|(y, _)| **y != x) {
            value.add_monomial(y, &-RBig::from((c / &factor).floor()));
        }
        value.constant = -RBig::from((&sum.constant / &factor).floor());
        let next = if is_unit { None } else { Some(names.constant(store, SortId::INT)) };
        if let Some((symbol, parameter)) = next {
            let quotients = value.to_term(store, SortId::INT)?;
            let distance = app(store, Kind::IntSub, &[x, quotients])?;
            parameters.push(Conversion::name(symbol, parameter, distance));
            value.add_monomial(parameter, &RBig::ONE);
        }
        for known in values.values_mut() {
            replace(known, x, &value);
        }
        replace(&mut sum, x, &value);
        if values.values().any(|v| !fits(&v.constant) || !v.monomials.values().all(fits)) {
            return Ok(DiophantineSolution::Unknown);
        }
        if is_unit {
            return Ok(all(values, parameters));
        }
        let by = sum.primitive_factor();
        sum.scale(&by);
        if !sum.constant.is_int() {
            return Ok(DiophantineSolution::None);
        }
    }
    Ok(DiophantineSolution::Unknown)
}

/// Returns the solutions, without unchanged variables.
fn all(values: BTreeMap<TermId, Linear>, parameters: Vec<Conversion>) -> DiophantineSolution {
    let is_itself = |x: TermId, value: &Linear| value.monomials.len() == 1 && value.monomials.contains_key(&x);
    let values = values.into_iter().filter(|(x, value)| !is_itself(*x, value)).collect();
    DiophantineSolution::All { values, parameters }
}

/// Replaces a variable of a sum by another sum.
fn replace(sum: &mut Linear, x: TermId, value: &Linear) {
    if let Some(factor) = sum.monomials.remove(&x) {
        sum.add(value, &factor);
    }
}
