//! `solve-eqs`: equations are solved for a variable, which is replaced everywhere (Gaussian elimination and the like).
//!
//! Equations are collected first and ordered afterwards: a walk over the solutions drops those that would make a cycle, and orders the
//! others so that each solution is substituted into once.

use crate::converter::Conversion;
use crate::eliminate::eliminate;
use crate::goal::{Goal, Precision};
use crate::linear::Linear;
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass, TacticParameter};
use crate::substitute::{Substitution, equation, variable};
use crate::values::{app, bits};
use crate::walk::TermSet;
use dashu_base::Abs;
use dashu_int::UBig;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{FuncId, Kind, Op, Sort, SortId, Store, TermId};

/// The parameter that also solves for the encodings of floats.
pub const ENCODINGS: TacticParameter = TacticParameter {
    name: "encodings",
    about: "1 also solves (= ((_ to_fp eb sb) x) e) for x, whose pattern for NaN is fixed then: the goal gets stronger",
    default: 0,
    words: &[],
};

/// The maximum number of subterms searched for a variable in its own solution. Larger ones are left to the walk over all solutions.
const MAX_LOOK: usize = 1_000;

/// The pass.
pub static SOLVE_EQS: RewritePass = RewritePass {
    name: "solve-eqs",
    about: "solves equations for a variable that does not occur in its own solution, and eliminates it",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))
                 (assert (= (+ x (* 2 y)) 5))(assert (< x y))
                 (assert (= (bvnot (bvadd a #x1)) b))(assert (bvult b a))",
        after: &["(not (<= y 1)) (bvult (bvnot (bvadd a #x1)) a)"],
    },
    params: &[ENCODINGS],
    is_consequence: true,
    rewrite: apply,
};

fn apply(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    if settings.params.number(&ENCODINGS) > 0 {
        eliminate(store, goal, settings, |s, g, frozen, found, watch| {
            round(s, g, frozen, Solve::Encodings, found, watch)
        })
    } else {
        eliminate(store, goal, settings, |s, g, frozen, found, watch| {
            round(s, g, frozen, Solve::Equations, found, watch)
        })
    }
}

/// What is solved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Solve {
    /// Only where no model is lost.
    Equations,
    /// Encodings of floats as well.
    Encodings,
}

/// A variable's solution, and its formula.
struct Solution {
    term: TermId,
    formula: usize,
    /// Whether the formula has other solutions as well, which are lost.
    narrows: bool,
}

/// The solutions chosen, by the variable's term.
type Solutions = FxHashMap<TermId, Solution>;

fn round(
    store: &mut Store,
    mut goal: Goal,
    frozen: &FxHashSet<FuncId>,
    what: Solve,
    conversions: &mut Vec<Conversion>,
    watch: &mut PassMeter<'_>,
) -> Result<Goal, PassError> {
    let formulas = goal.take();
    let mut solutions = Solutions::default();
    for (number, formula) in formulas.iter().enumerate() {
        watch.tick(store)?;
        let free = |store: &Store, t: TermId| {
            variable(store, t).is_some_and(|f| !frozen.contains(&f)) && !solutions.contains_key(&t)
        };
        let (found, narrows) = match solve(store, formula.term, &free)? {
            None if what == Solve::Encodings => (solve_encoding(store, formula.term, &free)?, true),
            found => (found, false),
        };
        if let Some((x, term)) = found {
            solutions.insert(x, Solution { term, formula: number, narrows });
        }
    }
    let order = acyclic_order(store, &mut solutions, watch)?;
    let mut substitution = Substitution::heeding(watch.stop());
    for &x in &order {
        let solution = &solutions[&x];
        let origins = &formulas[solution.formula].origins;
        let mut all = origins.clone();
        all.add(&substitution.used(store, solution.term));
        let image = substitution.term(store, solution.term, watch)?;
        substitution.insert(x, image, all);
    }
    // A definition uses earlier ones in the order, which must be applied first.
    let definitions = order.iter().rev().filter_map(|x| {
        let symbol = variable(store, *x)?;
        Some(Conversion::Define { symbol, term: solutions[x].term })
    });
    conversions.extend(definitions);
    if order.iter().any(|x| solutions[x].narrows) {
        goal.precision = goal.precision.then(Precision::Under);
    }
    let solved: FxHashSet<usize> = order.iter().map(|x| solutions[x].formula).collect();
    for (number, formula) in formulas.iter().enumerate() {
        if solved.contains(&number) {
            continue;
        }
        let formula = if order.is_empty() { formula.clone() } else { substitution.formula(store, formula, watch)? };
        goal.push(store, formula);
    }
    Ok(goal)
}

/// Returns the solved variables in an order in which each solution mentions only earlier ones. Solutions that close a cycle are dropped.
fn acyclic_order(
    store: &Store,
    solutions: &mut Solutions,
    watch: &mut PassMeter<'_>,
) -> Result<Vec<TermId>, PassError> {
    #[derive(Clone, Copy, PartialEq)]
    enum VisitState {
        Open,
        Done,
    }
    let mut roots: Vec<(usize, TermId)> = solutions.iter().map(|(&x, s)| (s.formula, x)).collect();
    roots.sort_unstable();
    let mut states: FxHashMap<TermId, VisitState> = FxHashMap::default();
    let mut order = Vec::with_capacity(roots.len());
    let mut stack = Vec::new();
    // The variables whose solutions are being visited.
    let mut inside: Vec<TermId> = Vec::new();
    for (_, root) in roots {
        stack.push((root, false));
        while let Some((t, leave)) = stack.pop() {
            // Terms that many cycles share are visited again for each.
            watch.tick(store)?;
            if leave {
                states.insert(t, VisitState::Done);
                if inside.last() == Some(&t) {
                    inside.pop();
                    order.push(t);
                }
                continue;
            }
            match states.get(&t) {
                Some(VisitState::Done) => continue,
                Some(VisitState::Open) => {
                    // A cycle through the solution entered last: that variable stays, as a leaf. What lies between reaches an open
                    // variable, so another solution must visit it again.
                    if let Some(x) = inside.pop() {
                        solutions.remove(&x);
                        while let Some((between, leave)) = stack.pop().filter(|&entry| entry != (x, true)) {
                            if leave {
                                states.remove(&between);
                            }
                        }
                        states.insert(x, VisitState::Done);
                    }
                    continue;
                }
                None => {}
            }
            states.insert(t, VisitState::Open);
            stack.push((t, true));
            match solutions.get(&t) {
                Some(solution) => {
                    inside.push(t);
                    stack.push((solution.term, false));
                }
                None => stack.extend(store.args(t).iter().map(|&a| (a, false))),
            }
        }
    }
    Ok(order)
}

/// Returns a variable that `free` allows and its solution, if the formula is an equation with one. The variable does not occur in the
/// solution directly; it may occur indirectly.
fn solve(
    store: &mut Store,
    t: TermId,
    free: &dyn Fn(&Store, TermId) -> bool,
) -> Result<Option<(TermId, TermId)>, PassError> {
    let (a, b) = equation(store, t)?;
    for (side, other) in [(a, b), (b, a)] {
        if free(store, side) && !occurs(store, side, other) {
            return Ok(Some((side, other)));
        }
    }
    if matches!(store.sort(a), SortId::INT | SortId::REAL) {
        return solve_linear(store, a, b, free);
    }
    for (side, other) in [(a, b), (b, a)] {
        if let Some(found) = solve_inverse(store, side, other, free)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Whether `x` occurs in `t`, as far as [`MAX_LOOK`] subterms show it: [`acyclic_order`] drops a solution with its own variable anyway,
/// but only later, when no other variable of the equation is tried any more.
fn occurs(store: &Store, x: TermId, t: TermId) -> bool {
    let mut seen = TermSet::default();
    let mut stack = vec![t];
    let mut left = MAX_LOOK;
    while let Some(u) = stack.pop() {
        // A term is younger than its subterms.
        if u < x || !seen.insert(u) {
            continue;
        }
        left -= 1;
        if u == x || left == 0 {
            return u == x;
        }
        stack.extend_from_slice(store.args(u));
    }
    false
}

/// Solves `((_ to_fp eb sb) x) = e` for the vector `x`: the encoding of `e`, and one of many patterns if `e` is NaN.
fn solve_encoding(
    store: &mut Store,
    t: TermId,
    free: &dyn Fn(&Store, TermId) -> bool,
) -> Result<Option<(TermId, TermId)>, PassError> {
    let (a, b) = equation(store, t)?;
    for (side, float) in [(a, b), (b, a)] {
        if let (Kind::FpFromBits, &[x]) = (store.kind(side), store.args(side))
            && free(store, x)
            && !occurs(store, x, float)
            && let &Sort::Float { eb, sb } = store.sorts.get(store.sort(float))
        {
            let quiet = ((UBig::ones(eb as usize) << 1usize) | UBig::ONE) << (sb as usize - 2);
            let quiet = store.bitvec(eb + sb, &quiet);
            let is_nan = app(store, Kind::FpIsNan, &[float])?;
            let pattern = store.app(Op::new(Kind::FpToIeeeBv), &[float])?;
            return Ok(Some((x, app(store, Kind::Ite, &[is_nan, quiet, pattern])?)));
        }
    }
    Ok(None)
}

/// Solves `a = b` for a variable with a usable coefficient: any over Real, 1 or -1 over Int.
fn solve_linear(
    store: &mut Store,
    a: TermId,
    b: TermId,
    free: &dyn Fn(&Store, TermId) -> bool,
) -> Result<Option<(TermId, TermId)>, PassError> {
    let sort = store.sort(a);
    let mut sum = Linear::of(store, a);
    sum.add(&Linear::of(store, b), &-RBig::ONE);
    sum.scale(&sum.primitive_factor());
    if sort == SortId::INT && !sum.is_integral() {
        return Ok(None);
    }
    let unit = |c: &RBig| c.clone().abs().is_one();
    let chosen = sum.monomials.iter().find(|&(&x, c)| {
        free(store, x)
            && (sort == SortId::REAL || unit(c))
            && sum.monomials.keys().all(|&other| other == x || !occurs(store, x, other))
    });
    let Some((&x, c)) = chosen else { return Ok(None) };
    let c = c.clone();
    let mut rest = sum;
    rest.add_monomial(x, &-c.clone());
    rest.scale(&(-RBig::ONE / c));
    Ok(Some((x, rest.to_term(store, sort)?)))
}

/// Solves `side = other` by inverting operators, from the outside in.
fn solve_inverse(
    store: &mut Store,
    side: TermId,
    other: TermId,
    free: &dyn Fn(&Store, TermId) -> bool,
) -> Result<Option<(TermId, TermId)>, PassError> {
    let (mut side, mut other) = (side, other);
    for _ in 0..64 {
        if free(store, side) {
            return Ok((!occurs(store, side, other)).then_some((side, other)));
        }
        let args = store.args(side).to_vec();
        let next = match store.kind(side) {
            kind @ (Kind::BvNot | Kind::BvNeg | Kind::Not | Kind::FpNeg) => {
                Some((args[0], app(store, kind, &[other])?))
            }
            // Of two arguments the variable, or else the one that is not a value, is solved for.
            Kind::BvAdd | Kind::BvXor | Kind::Xor | Kind::Eq | Kind::BvMul if args.len() == 2 => {
                match target(store, &args, free) {
                    Some((x, rest)) => inverse(store, side, rest, other)?.map(|image| (x, image)),
                    None => None,
                }
            }
            _ => None,
        };
        match next {
            Some(pair) => (side, other) = pair,
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// Returns which of two arguments to solve for, and the other.
fn target(store: &Store, args: &[TermId], free: &dyn Fn(&Store, TermId) -> bool) -> Option<(TermId, TermId)> {
    let (a, b) = (args[0], args[1]);
    if free(store, a) && !occurs(store, a, b) {
        Some((a, b))
    } else if free(store, b) && !occurs(store, b, a) {
        Some((b, a))
    } else if bits(store, b).is_some() {
        Some((a, b))
    } else {
        None
    }
}

/// Returns `x`, where `side` is a binary operator on `x` and `rest` and equals `other`.
fn inverse(store: &mut Store, side: TermId, rest: TermId, other: TermId) -> Result<Option<TermId>, PassError> {
    Ok(match store.kind(side) {
        Kind::BvAdd => {
            let minus = app(store, Kind::BvNeg, &[rest])?;
            Some(app(store, Kind::BvAdd, &[other, minus])?)
        }
        Kind::BvXor => Some(app(store, Kind::BvXor, &[other, rest])?),
        Kind::Xor => Some(app(store, Kind::Xor, &[other, rest])?),
        Kind::Eq if store.is_bool(rest) => Some(app(store, Kind::Eq, &[other, rest])?),
        Kind::BvMul => match bits(store, rest).and_then(|(w, c)| odd_inverse(w, c).map(|i| (w, i))) {
            Some((w, inverse)) => {
                let inverse = store.bitvec(w, &inverse);
                Some(app(store, Kind::BvMul, &[other, inverse])?)
            }
            None => None,
        },
        _ => None,
    })
}

/// Returns the inverse of an odd number modulo 2^`width`, by Newton's iteration: each step doubles the number of correct bits.
pub fn odd_inverse(width: u32, c: &UBig) -> Option<UBig> {
    if c.trailing_zeros() != Some(0) {
        return None;
    }
    let modulus = UBig::ONE << width as usize;
    let mut inverse = UBig::ONE;
    let mut right = 1u64;
    while right < u64::from(width) {
        // inverse * (2 - c * inverse)
        let product = (c * &inverse) % &modulus;
        let two_minus = (&modulus + UBig::from(2u8) - product) % &modulus;
        inverse = (inverse * two_minus) % &modulus;
        right *= 2;
    }
    Some(inverse % &modulus)
}
