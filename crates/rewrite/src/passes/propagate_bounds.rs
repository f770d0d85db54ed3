//! `propagate-bounds`: bounds of Int and Real variables are derived from linear formulas, and decide atoms.
//!
//! A formula `a1 x1 + … + an xn <= c` bounds each variable by the bounds of the others. Bounds that meet become an equation, bounds that
//! cross refute the goal, and atoms decided by the bounds are replaced inside other formulas.

use crate::goal::{Goal, GoalFormula};
use crate::interval::{Bounds, Limit};
use crate::linear::{Linear, number_term};
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass, TacticParameter};
use crate::simplify::Simplifier;
use crate::substitute::{Substitution, variable};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use smtlib::{Kind, SortId, Store, TermId};

/// The default number of rounds over all formulas.
const ROUNDS: TacticParameter =
    TacticParameter { name: "rounds", about: "the number of rounds of propagation", default: 8, words: &[] };

/// Bounds with longer numbers are dropped, so rounds cannot make them ever longer.
const MAX_BITS: usize = 256;

/// The pass.
pub static PROPAGATE_BOUNDS: RewritePass = RewritePass {
    name: "propagate-bounds",
    about: "derives bounds of Int and Real variables from linear formulas and decides atoms by them",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(declare-const p Bool)
                 (assert (<= x 3))(assert (<= 2 y))(assert (<= y (- x 1)))(assert (or p (< y 7)))",
        after: &["(<= x 3) (not (<= y 1)) (not (<= (+ x (* (- 1) y)) 0)) (= x 3) (= y 2)"],
    },
    params: &[ROUNDS],
    is_consequence: true,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let rounds = settings.params.number(&ROUNDS);
    let mut watch = settings.watch(store);
    let mut simplifier = Simplifier::heeding(&settings.stop);
    let mut formulas = Vec::with_capacity(goal.len());
    for GoalFormula { term, origins } in goal.take() {
        formulas.push(GoalFormula::new(simplifier.simplify(store, term, &mut watch)?, origins));
    }
    let rows: Vec<BoundRow> = formulas.iter().flat_map(|f| rows_of(store, f)).collect();
    let mut known: FxHashMap<TermId, Bounds> = FxHashMap::default();
    for _ in 0..rounds {
        let mut changed = false;
        for row in &rows {
            watch.tick(store)?;
            changed |= row.propagate(store, &mut known);
        }
        if let Some(crossed) = known.values().find(|b| b.is_empty()) {
            let why = crossed.origins();
            return Ok(PassResult::new(goal.refuted(store, why)));
        }
        if !changed {
            break;
        }
    }
    let mut decided = Substitution::heeding(&settings.stop);
    let is_row: Vec<bool> = formulas.iter().map(|f| !rows_of(store, f).is_empty()).collect();
    for (formula, _) in formulas.iter().zip(&is_row).filter(|(_, row)| !**row) {
        decide_atoms(store, formula.term, &known, &mut decided);
    }
    for (formula, row) in formulas.iter().zip(&is_row) {
        let formula = if *row { formula.clone() } else { decided.formula(store, formula, &mut watch)? };
        goal.push(store, formula);
    }
    let mut fixed: Vec<(TermId, RBig, Origins)> = known
        .iter()
        .filter_map(|(&x, b)| b.fixed().map(|value| (x, value.clone(), b.origins())))
        .filter(|(x, ..)| variable(store, *x).is_some())
        .collect();
    fixed.sort_by_key(|f| f.0);
    for (x, value, origins) in fixed {
        let sort = store.sort(x);
        let value = number_term(store, sort, &value);
        let equation = store.eq(x, value)?;
        if !goal.formulas().iter().any(|f| f.term == equation) {
            goal.push(store, GoalFormula::new(equation, origins));
        }
    }
    Ok(PassResult::new(goal))
}

/// `sum <= bound` or `sum < bound`, with the reason.
struct BoundRow {
    sum: Linear,
    bound: RBig,
    strict: bool,
    origins: Origins,
}

/// Returns the rows of a simplified formula: none if it is not a linear atom, two for an equation.
fn rows_of(store: &Store, formula: &GoalFormula) -> Vec<BoundRow> {
    let Some((sum, bound, relation)) = atom(store, formula.term) else { return Vec::new() };
    let row = |flip: bool, strict: bool| {
        let (mut sum, mut bound) = (sum.clone(), bound.clone());
        if flip {
            sum.scale(&-RBig::ONE);
            bound = -bound;
        }
        BoundRow { sum, bound, strict, origins: formula.origins.clone() }
    };
    match relation {
        BoundRelation::AtMost => vec![row(false, false)],
        BoundRelation::Below => vec![row(false, true)],
        BoundRelation::AtLeast => vec![row(true, false)],
        BoundRelation::Above => vec![row(true, true)],
        BoundRelation::Equal => vec![row(false, false), row(true, false)],
    }
}

#[derive(Clone, Copy)]
enum BoundRelation {
    AtMost,
    Below,
    AtLeast,
    Above,
    Equal,
}

/// Returns a linear literal in the simplifier's form: a sum without constant, a number, and their relation.
fn atom(store: &Store, t: TermId) -> Option<(Linear, RBig, BoundRelation)> {
    let (inner, positive) = if store.kind(t) == Kind::Not { (store.args(t)[0], false) } else { (t, true) };
    let &[a, b] = store.args(inner) else { return None };
    let relation = match (store.kind(inner), positive) {
        (Kind::IntLe | Kind::RealLe, true) => BoundRelation::AtMost,
        (Kind::IntLe | Kind::RealLe, false) => BoundRelation::Above,
        (Kind::RealGe, true) => BoundRelation::AtLeast,
        (Kind::RealGe, false) => BoundRelation::Below,
        (Kind::Eq, true) if matches!(store.sort(a), SortId::INT | SortId::REAL) => BoundRelation::Equal,
        _ => return None,
    };
    let mut sum = Linear::of(store, a);
    sum.add(&Linear::of(store, b), &-RBig::ONE);
    let bound = -std::mem::take(&mut sum.constant);
    (!sum.monomials.is_empty()).then_some((sum, bound, relation))
}

impl BoundRow {
    /// Bounds each variable by the others' bounds; returns whether a bound got tighter.
    fn propagate(&self, store: &Store, known: &mut FxHashMap<TermId, Bounds>) -> bool {
        let mut changed = false;
        for (&x, c) in &self.sum.monomials {
            let mut rest = Limit { value: self.bound.clone(), strict: self.strict, origins: self.origins.clone() };
            let mut open = false;
            for (y, d) in self.sum.monomials.iter().filter(|(y, _)| **y != x) {
                // The minimum of d*y.
                let least = known.get(y).and_then(|b| if is_positive(d) { b.lower.as_ref() } else { b.upper.as_ref() });
                match least {
                    Some(least) => {
                        rest.value -= d * &least.value;
                        rest.strict |= least.strict;
                        rest.origins.add(&least.origins);
                    }
                    None => {
                        open = true;
                        break;
                    }
                }
            }
            if open {
                continue;
            }
            rest.value /= c;
            let integral = store.sort(x) == SortId::INT;
            if bits(&rest.value) > MAX_BITS {
                continue;
            }
            let bounds = known.entry(x).or_default();
            changed |= if is_positive(c) { bounds.lower_to(rest, integral) } else { bounds.raise_to(rest, integral) };
        }
        changed
    }
}

fn is_positive(r: &RBig) -> bool {
    dashu_base::Signed::is_positive(r)
}

fn bits(r: &RBig) -> usize {
    use dashu_base::BitTest;
    r.numerator().bit_len() + r.denominator().bit_len()
}

/// Collects the atoms inside a formula that the bounds decide.
fn decide_atoms(store: &mut Store, root: TermId, known: &FxHashMap<TermId, Bounds>, decided: &mut Substitution) {
    let mut atoms = Vec::new();
    crate::walk::visit(store, [root], |t| {
        if store.kind(t) != Kind::Not && store.is_bool(t) && atom(store, t).is_some() {
            atoms.push(t);
        }
    });
    for t in atoms {
        let Some((sum, bound, relation)) = atom(store, t) else { continue };
        let mut range = Bounds::of_number(&RBig::ZERO);
        for (x, c) in &sum.monomials {
            range = range.plus(&known.get(x).cloned().unwrap_or_default().times(c));
        }
        let truth = match relation {
            BoundRelation::AtMost => range.is_at_most(&bound),
            BoundRelation::AtLeast => range.clone().negated().is_at_most(&-bound.clone()),
            BoundRelation::Equal if range.fixed() == Some(&bound) => Some(true),
            BoundRelation::Equal if range.excludes(&bound) => Some(false),
            _ => None,
        };
        if let Some(truth) = truth {
            let value = store.bool(truth);
            decided.insert(t, value, range.origins());
        }
    }
}
