//! Terms for the variables of an instance: a term that refutes a formula is more general than a value.

use super::ground::InstanceFailure;
use super::ground::{Grounding, Polarity, Universal, outermost};
use crate::budget::Budget;
use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use rewrite::quantifier::instance;
use rewrite::values::{app, bits, is_value};
use rewrite::walk::{Rebuild, visit};
use semantics::{Evaluator, Value};
use smtlib::free_vars::FreeVars;
use smtlib::{Kind, Sort, SortId, Store, TermId};

/// The maximum number of terms tried for one variable.
const MAX_TRIED: usize = 24;
/// How often an equation is inverted to isolate a variable.
const MAX_TURNS: usize = 16;

/// The closed terms with which a universal formula compares its variables, by variable.
pub(super) struct Candidates {
    of: Vec<Vec<TermId>>,
    /// The body with `true` for its quantified formulas: it follows from the body, and can be evaluated.
    weaker: Option<TermId>,
}

impl Candidates {
    pub fn of(store: &mut Store, universal: &Universal, budget: &Budget) -> Result<Candidates, InstanceFailure> {
        let mut atoms = Vec::new();
        visit(store, [universal.body], |t| {
            if store.args(t).len() == 2 && comparison(store.kind(t)) {
                atoms.push(t);
            }
        });
        let mut free = FreeVars::default();
        let mut of: Vec<Vec<TermId>> = vec![Vec::new(); universal.vars.len()];
        for atom in atoms {
            budget.check()?;
            let (l, r) = (store.args(atom)[0], store.args(atom)[1]);
            for (from, to) in [(l, r), (r, l)] {
                let Some((variable, term)) = isolated(store, &mut free, from, to) else { continue };
                let place = universal.vars.iter().position(|&(name, _)| store.variable(variable) == Some(name));
                let Some(place) = place else { continue };
                let near = [Some(term), neighbour(store, term, 1), neighbour(store, term, -1)];
                let wanted = if store.kind(atom) == Kind::Eq { 1 } else { 3 };
                for candidate in near.into_iter().take(wanted).flatten() {
                    if of[place].len() < MAX_TRIED && !of[place].contains(&candidate) {
                        of[place].push(candidate);
                    }
                }
            }
        }
        for (place, &(_, sort)) in universal.vars.iter().enumerate() {
            let ends = ends(store, sort);
            of[place].extend(ends);
        }
        let inner = outermost(store, universal.body);
        let mut rebuild = Rebuild::default();
        let truth = store.bool(true);
        inner.iter().for_each(|&(q, _)| rebuild.preset(q, truth));
        let settings = budget.settings();
        let weaker = rebuild.run(store, universal.body, &mut settings.watch(store), |_, u| Ok(u))?;
        let positive = inner.iter().all(|&(_, polarity)| polarity == Polarity::Positive);
        Ok(Candidates { of, weaker: positive.then_some(weaker) })
    }

    /// Returns terms for the variables: the values refute the formula under the evaluator's model, and so do the terms.
    pub fn choose(
        &self,
        store: &mut Store,
        grounding: &Grounding,
        n: usize,
        values: &[(Value, TermId)],
        evaluator: &mut Evaluator,
    ) -> Result<Vec<TermId>, InstanceFailure> {
        let mut terms: Vec<TermId> = values.iter().map(|v| v.1).collect();
        let vars = grounding.universals[n].vars.clone();
        for (place, (value, literal)) in values.iter().enumerate() {
            let witnesses = grounding.witnesses.get(&vars[place].1).map(Vec::as_slice).unwrap_or_default();
            let known = self.of[place].iter().chain(witnesses.iter().rev().take(MAX_TRIED));
            let equal = known.copied().find(|&t| evaluator.eval(store, t).is_ok_and(|v| v.same(value) == Some(true)));
            if let Some(term) = equal {
                terms[place] = term;
                continue;
            }
            let Some(weaker) = self.weaker else { continue };
            for &term in &self.of[place] {
                terms[place] = term;
                let weakened = instance(store, weaker, &vars, &terms, &grounding.settings)?;
                if evaluator.truth(store, weakened) == Some(false) {
                    break;
                }
                terms[place] = *literal;
            }
        }
        Ok(terms)
    }
}

/// Whether an atom compares two terms of a sort with an order, or for equality.
fn comparison(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        Eq | Distinct
            | IntLe
            | IntLt
            | IntGe
            | IntGt
            | RealLe
            | RealLt
            | RealGe
            | RealGt
            | BvUlt
            | BvUle
            | BvUgt
            | BvUge
            | BvSlt
            | BvSle
            | BvSgt
            | BvSge
    )
}

/// Returns a variable and the closed term it equals if `from` equals `to`.
fn isolated(store: &mut Store, free: &mut FreeVars, from: TermId, to: TermId) -> Option<(TermId, TermId)> {
    let (mut from, mut to) = (from, to);
    for _ in 0..MAX_TURNS {
        if !free.is_closed(store, to) {
            return None;
        }
        if store.variable(from).is_some() {
            return Some((from, to));
        }
        let args = store.args(from).to_vec();
        let mut open = args.iter().enumerate().filter(|&(_, &a)| !free.is_closed(store, a)).map(|(n, _)| n);
        let (place, None) = (open.next()?, open.next()) else { return None };
        let others: Vec<TermId> = args.iter().enumerate().filter(|&(n, _)| n != place).map(|(_, &a)| a).collect();
        to = turned(store, from, place, &others, to)?;
        from = args[place];
    }
    None
}

/// Returns the argument at `place` if the term equals `to` and the other arguments are `others`.
fn turned(store: &mut Store, t: TermId, place: usize, others: &[TermId], to: TermId) -> Option<TermId> {
    use Kind::*;
    let kind = store.kind(t);
    let (sum, minus) = match kind {
        BvAdd | BvSub | BvNeg => (BvAdd, BvSub),
        IntAdd | IntSub | IntNeg => (IntAdd, IntSub),
        _ => (RealAdd, RealSub),
    };
    match kind {
        IntNeg | RealNeg | BvNeg | BvNot => app(store, kind, &[to]).ok(),
        IntAdd | RealAdd | BvAdd => {
            let rest = if others.len() == 1 { others[0] } else { app(store, sum, others).ok()? };
            app(store, minus, &[to, rest]).ok()
        }
        IntSub | RealSub | BvSub if place == 0 => {
            let all: Vec<TermId> = std::iter::once(to).chain(others.iter().copied()).collect();
            app(store, sum, &all).ok()
        }
        IntSub | RealSub | BvSub if others.len() == 1 => app(store, minus, &[others[0], to]).ok(),
        BvXor => {
            let all: Vec<TermId> = std::iter::once(to).chain(others.iter().copied()).collect();
            app(store, BvXor, &all).ok()
        }
        // The quotient is exact only if the number divides `to`; the instance is tested before it is used.
        IntMul if others.len() == 1 && is_value(store, others[0]) => app(store, IntDiv, &[to, others[0]]).ok(),
        RealMul if others.len() == 1 && is_value(store, others[0]) => app(store, RealDiv, &[to, others[0]]).ok(),
        BvMul if others.len() == 1 => {
            let (width, factor) = bits(store, others[0])?;
            let inverse = inverse(factor, width)?;
            let inverse = store.bitvec(width, &inverse);
            app(store, BvMul, &[to, inverse]).ok()
        }
        _ => None,
    }
}

/// Returns the inverse of an odd number modulo a power of two, by Newton's iteration.
fn inverse(factor: &UBig, width: u32) -> Option<UBig> {
    if !factor.bit(0) {
        return None;
    }
    let mask = (UBig::ONE << width as usize) - UBig::ONE;
    let modulus = UBig::ONE << width as usize;
    let mut x = UBig::ONE;
    let mut right = 1;
    while right < width {
        // x (2 - factor x): the number of correct bits doubles.
        let product = (factor * &x) & &mask;
        x = (&x * ((&modulus + UBig::from(2u8) - product) & &mask)) & &mask;
        right *= 2;
    }
    Some(x)
}

/// Returns the term plus or minus one.
fn neighbour(store: &mut Store, t: TermId, by: i32) -> Option<TermId> {
    let sort = store.sort(t);
    let (kind, one) = one(store, sort)?;
    let kind = match (kind, by > 0) {
        (Kind::BvAdd, false) => Kind::BvSub,
        (Kind::IntAdd, false) => Kind::IntSub,
        (Kind::RealAdd, false) => Kind::RealSub,
        (kind, _) => kind,
    };
    app(store, kind, &[t, one]).ok()
}

/// Returns the least and the greatest number of a bit-vector sort, unsigned and signed.
fn ends(store: &mut Store, sort: SortId) -> Vec<TermId> {
    let Some(width) = store.sorts.width(sort) else { return Vec::new() };
    let half = UBig::ONE << (width as usize - 1);
    let all = [UBig::ZERO, UBig::ones(width as usize), half.clone(), half - UBig::ONE];
    all.iter().map(|n| store.bitvec(width, n)).collect()
}

/// Returns the addition of a sort and its one.
fn one(store: &mut Store, sort: SortId) -> Option<(Kind, TermId)> {
    Some(match *store.sorts.get(sort) {
        Sort::BitVec(width) => (Kind::BvAdd, store.bitvec(width, &UBig::ONE)),
        Sort::Int => (Kind::IntAdd, store.int(&IBig::ONE)),
        Sort::Real => (Kind::RealAdd, store.real(&dashu_ratio::RBig::ONE)),
        _ => return None,
    })
}
