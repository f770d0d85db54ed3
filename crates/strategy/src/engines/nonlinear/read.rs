//! Reads literals as polynomial constraints, and orders the variables.

use super::cover::PolynomialConstraint;
use super::limits::{PolynomialError, PolynomialWork};
use super::polynomial::MultiPolynomial;
use crate::constraint::LinearRelation;
use crate::engine::Decision;
use crate::engines::arithmetic::linear::is_number;
use dashu_int::IBig;
use rewrite::walk::TermSet;
use rustc_hash::FxHashMap;
use semantics::algebraic::AlgebraicNumber;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::{Kind, SortId, Store, TermId};
use std::cmp::Reverse;

/// A conjunction of polynomial constraints.
pub struct PolynomialProblem {
    /// The symbols: the variables by number.
    pub symbols: Vec<TermId>,
    /// The constraints that are not constant.
    pub constraints: Vec<PolynomialConstraint>,
    /// The position of an assertion that is false whatever the values are.
    pub violated: Option<usize>,
}

/// Returns the problem of some literals.
pub fn problem(
    store: &Store,
    assertions: &[TermId],
    work: &mut PolynomialWork,
) -> Result<PolynomialProblem, PolynomialError> {
    let reader = PolynomialReader::new(store, assertions, is_constant_symbol, work)?;
    let mut constraints = Vec::new();
    for (owner, &assertion) in assertions.iter().enumerate() {
        for (polynomial, relation) in reader.constraints(store, assertion)? {
            constraints.push(PolynomialConstraint { polynomial, relation, owner });
        }
    }
    let is_false = |c: &PolynomialConstraint| {
        c.polynomial.as_constant().is_some_and(|number| !c.relation.holds(number.cmp(&IBig::ZERO)))
    };
    let violated = constraints.iter().find(|c| is_false(c)).map(|c| c.owner);
    constraints.retain(|c| c.polynomial.main().is_some());
    for c in constraints.iter_mut().filter(|c| c.relation == LinearRelation::Below) {
        let is_integer =
            |(n, symbol): (usize, &TermId)| store.sort(*symbol) == SortId::INT || c.polynomial.degree(n) == 0;
        if reader.symbols.iter().enumerate().all(is_integer) {
            // A negative integer is at most -1.
            c.polynomial = c.polynomial.plus(&IBig::ONE, &MultiPolynomial::constant(reader.symbols.len(), IBig::ONE));
            c.relation = LinearRelation::AtMost;
        }
    }
    Ok(PolynomialProblem { symbols: reader.symbols, constraints, violated })
}

impl PolynomialProblem {
    /// Returns an order of the variables. The first attempt gives what occurs in low powers its value last, since it is eliminated first
    /// (Brown's heuristic): linear occurrences cost nothing there. The second is the reverse; the others begin elsewhere.
    pub fn order(&self, attempt: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.symbols.len()).collect();
        order.sort_by_cached_key(|&v| {
            let degrees = || self.constraints.iter().map(|c| c.polynomial.degree(v)).filter(|d| *d > 0);
            Reverse((degrees().max(), degrees().count(), Reverse(v)))
        });
        if attempt % 2 == 1 {
            order.reverse();
        }
        let shift = attempt / 2 % order.len().max(1);
        order.rotate_left(shift);
        order
    }

    /// Returns the answer with a point: a number for each symbol.
    pub fn model(
        &self,
        store: &Store,
        assertions: &[TermId],
        point: Vec<AlgebraicNumber>,
        work: &PolynomialWork,
    ) -> Result<Decision, PolynomialError> {
        constant_model(store, assertions, self.symbols.iter().copied().zip(point), work)
    }

    /// Returns the constraints, and further ones, over the variables in another order.
    pub fn ordered(&self, more: &[PolynomialConstraint], order: &[usize]) -> Vec<PolynomialConstraint> {
        let permuted =
            |c: &PolynomialConstraint| PolynomialConstraint { polynomial: c.polynomial.permuted(order), ..*c };
        self.constraints.iter().chain(more).map(permuted).collect()
    }
}

/// Returns the answer with numbers for some symbols. Those of integers are rounded down.
pub fn constant_model(
    store: &Store,
    assertions: &[TermId],
    numbers: impl Iterator<Item = (TermId, AlgebraicNumber)>,
    work: &PolynomialWork,
) -> Result<Decision, PolynomialError> {
    let mut model = Model::new();
    for (symbol, number) in numbers {
        let Some(f) = store.applied(symbol) else { continue };
        let value = match store.sort(symbol) {
            SortId::INT => Value::Int(number.floor(&work.algebra)?),
            _ => Value::algebraic(number, &work.algebra)?,
        };
        model.assign(store, f, value).map_err(PolynomialError::Model)?;
    }
    // Symbols that cancelled out are free.
    rewrite::complete::complete(store, &mut model, assertions.iter().copied());
    Ok(Decision::Sat(model))
}

/// Whether a term is a declared constant.
pub fn is_constant_symbol(store: &Store, t: TermId) -> bool {
    store.args(t).is_empty() && store.applied(t).is_some_and(|f| store.func(f).is_declared())
}

/// Numbers read as polynomials.
pub struct PolynomialReader {
    /// The terms that are the variables, by number.
    pub symbols: Vec<TermId>,
    /// The polynomials, each over a positive number.
    forms: FxHashMap<TermId, (MultiPolynomial, IBig)>,
    constants: Evaluator,
}

impl PolynomialReader {
    /// Reads all numbers in some formulas, of which those with a property are the variables.
    pub fn new(
        store: &Store,
        formulas: &[TermId],
        is_symbol: impl Fn(&Store, TermId) -> bool,
        work: &mut PolynomialWork,
    ) -> Result<PolynomialReader, PolynomialError> {
        let (mut symbols, mut terms) = (Vec::new(), Vec::new());
        let (mut open, mut seen) = (formulas.to_vec(), TermSet::default());
        while let Some(t) = open.pop() {
            work.meter.tick()?;
            if !seen.insert(t) {
                continue;
            }
            if is_number(store, t) {
                terms.push(t);
                if is_symbol(store, t) {
                    symbols.push(t);
                    continue;
                }
            }
            open.extend_from_slice(store.args(t));
        }
        symbols.sort_unstable();
        // Children come before parents, which is the order of ids.
        terms.sort_unstable();
        let constants = Evaluator::new(Model::new(), EvalLimits::default());
        let mut reader = PolynomialReader { symbols, forms: FxHashMap::default(), constants };
        for t in terms {
            work.meter.tick()?;
            let form = reader.form(store, t, work)?;
            reader.forms.insert(t, form);
        }
        Ok(reader)
    }

    fn form(
        &mut self,
        store: &Store,
        t: TermId,
        work: &mut PolynomialWork,
    ) -> Result<(MultiPolynomial, IBig), PolynomialError> {
        use Kind::*;
        let unsupported = || PolynomialError::Unsupported(store.term_text(t).chars().take(60).collect());
        let count = self.symbols.len();
        if let Ok(n) = self.symbols.binary_search(&t) {
            return Ok((MultiPolynomial::variable(count, n), IBig::ONE));
        }
        let args: Vec<(MultiPolynomial, IBig)> =
            store.args(t).iter().map(|&a| self.forms.get(&a).cloned()).collect::<Option<_>>().unwrap_or_default();
        match (store.kind(t), args.as_slice()) {
            (Constant, _) => match self.constants.eval(store, t) {
                Ok(Value::Int(n)) => Ok((MultiPolynomial::constant(count, n), IBig::ONE)),
                Ok(Value::Real(r)) => {
                    Ok((MultiPolynomial::constant(count, r.numerator().clone()), r.denominator().clone().into()))
                }
                _ => Err(unsupported()),
            },
            (IntNeg | RealNeg, [(a, below)]) => Ok((a.scaled(&IBig::NEG_ONE), below.clone())),
            (IntAdd | RealAdd | IntSub | RealSub, [first, rest @ ..]) => {
                let sign = if matches!(store.kind(t), IntAdd | RealAdd) { IBig::ONE } else { IBig::NEG_ONE };
                Ok(rest.iter().fold(first.clone(), |(sum, below), (a, other)| {
                    (sum.scaled(other).plus(&(&sign * &below), a), below * other)
                }))
            }
            (IntMul | RealMul, [first, rest @ ..]) => rest
                .iter()
                .try_fold(first.clone(), |(product, below), (a, other)| Ok((product.times(a, work)?, below * other))),
            (ToReal, [only]) => Ok(only.clone()),
            // The standard leaves division by zero open.
            (RealDiv, [(a, below), (divisor, other)]) => match divisor.as_constant() {
                Some(number) if !number.is_zero() => {
                    let sign = if number < IBig::ZERO { IBig::NEG_ONE } else { IBig::ONE };
                    Ok((a.scaled(&(other * &sign)), below * number * sign))
                }
                _ => Err(unsupported()),
            },
            _ => Err(unsupported()),
        }
    }

    /// Returns the highest power of a variable in all numbers.
    pub fn degree(&self, symbol: TermId) -> u32 {
        let Ok(n) = self.symbols.binary_search(&symbol) else { return 0 };
        self.forms.values().map(|(form, _)| form.degree(n)).max().unwrap_or(0)
    }

    /// Returns the constraints of a literal, or of a conjunction of literals.
    pub fn constraints(
        &self,
        store: &Store,
        literal: TermId,
    ) -> Result<Vec<(MultiPolynomial, LinearRelation)>, PolynomialError> {
        use Kind::*;
        let mut found = Vec::new();
        let mut stack = vec![(literal, true)];
        while let Some((t, positive)) = stack.pop() {
            let args = store.args(t);
            let relation = match (store.kind(t), positive) {
                (True, true) | (False, false) => continue,
                (True, false) | (False, true) => {
                    found.push((MultiPolynomial::constant(self.symbols.len(), IBig::ONE), LinearRelation::Below));
                    continue;
                }
                (Not, _) => {
                    stack.push((args[0], !positive));
                    continue;
                }
                (And, true) | (Or, false) => {
                    stack.extend(args.iter().map(|&a| (a, positive)));
                    continue;
                }
                (IntLe | IntGe | RealLe | RealGe, true) | (IntLt | IntGt | RealLt | RealGt, false) => {
                    LinearRelation::AtMost
                }
                (IntLt | IntGt | RealLt | RealGt, true) | (IntLe | IntGe | RealLe | RealGe, false) => {
                    LinearRelation::Below
                }
                (Eq, true) | (Distinct, false) => LinearRelation::Equal,
                (Distinct, true) | (Eq, false) => LinearRelation::Distinct,
                _ => return Err(PolynomialError::Unsupported(store.term_text(t).chars().take(60).collect())),
            };
            // A chain is a conjunction; the pairs of a longer `distinct` are left to other steps.
            let is_conjunction = args.len() == 2 || (positive && store.kind(t) != Distinct);
            let is_upper = matches!(store.kind(t), IntGe | IntGt | RealGe | RealGt) == positive;
            let is_order = matches!(relation, LinearRelation::AtMost | LinearRelation::Below);
            for pair in args.windows(2) {
                let (Some((a, x)), Some((b, y)), true) =
                    (self.forms.get(&pair[0]), self.forms.get(&pair[1]), is_conjunction)
                else {
                    return Err(PolynomialError::Unsupported(store.term_text(t).chars().take(60).collect()));
                };
                let difference = a.scaled(y).plus(&-x, b);
                let is_negated = is_order && is_upper;
                found.push((if is_negated { difference.scaled(&IBig::NEG_ONE) } else { difference }, relation));
            }
        }
        Ok(found)
    }
}
