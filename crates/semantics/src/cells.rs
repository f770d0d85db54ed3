//! Quantifiers over one number whose body only compares polynomials in it: between two neighbouring roots no comparison changes its truth
//! value, so one number of each cell of the line, and each root, decide all.

use crate::algebraic::{AlgebraicError, AlgebraicLimits, AlgebraicNumber, between};
use crate::eval::Evaluator;
use crate::frame::{Range, ValueSlot};
use crate::univariate::{UnivariatePolynomial, UnivariateReader};
use crate::value::Value;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Kind, SortId, Store, Symbol, TermId};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The maximum number of terms of a body.
const MAX_TERMS: u32 = 2048;
/// The maximum number of comparisons.
const MAX_COMPARISONS: usize = 64;
/// The maximum number of roots.
const MAX_ROOTS: usize = 128;

impl Evaluator {
    /// Returns numbers such that the body of a quantifier has each of its truth values at one of them; `None` unless this is known.
    ///
    /// The values are those of the body's terms where the variable is unknown: they are the terms' values whatever it is.
    pub(crate) fn cells(
        &mut self,
        store: &Store,
        values: &FxHashMap<TermId, ValueSlot>,
        variables: &[(Symbol, SortId)],
        body: TermId,
    ) -> Option<Box<[(Symbol, Range)]>> {
        let &[(name, sort)] = variables else { return None };
        if sort != SortId::REAL && sort != SortId::INT {
            return None;
        }
        let variable = store.known_variable(name, sort)?;
        let differences = self.differences(store, values, (name, variable), body)?;
        let roots = sorted_roots(&differences).ok()??;
        self.charge(body, roots.len() as u64).ok()?;
        let samples = if sort == SortId::INT { integers(&roots) } else { reals(roots) };
        Some([(name, Range::Listed(samples.ok()?.into()))].into())
    }

    /// Returns the differences of what is compared with each other; `None` if the body says something else about the variable.
    fn differences(
        &mut self,
        store: &Store,
        values: &FxHashMap<TermId, ValueSlot>,
        (name, variable): (Symbol, TermId),
        body: TermId,
    ) -> Option<Vec<UnivariatePolynomial>> {
        let (mut open, mut seen) = (vec![body], FxHashSet::default());
        let (mut found, mut left) = (Vec::new(), MAX_TERMS);
        while let Some(t) = open.pop() {
            left = left.checked_sub(1)?;
            self.charge(t, 1).ok()?;
            let is_decided = self.memo.slot_in(values, t).value().is_some();
            if is_decided || !seen.insert(t) || !self.mentions(store, t, name) {
                continue;
            }
            let args = store.args(t);
            let sort = args.first().map(|&a| store.sort(a));
            use Kind::*;
            match store.kind(t) {
                Not | And | Or | Xor | Implies => open.extend_from_slice(args),
                Ite if store.sort(t) == SortId::BOOL => match self.memo.slot_in(values, args[0]).truth() {
                    Some(condition) => open.push(args[if condition { 1 } else { 2 }]),
                    None => open.extend_from_slice(args),
                },
                Eq | Distinct if sort == Some(SortId::BOOL) => open.extend_from_slice(args),
                Eq | Distinct | IntLe | IntLt | IntGe | IntGt | RealLe | RealLt | RealGe | RealGt
                    if sort == Some(SortId::INT) || sort == Some(SortId::REAL) =>
                {
                    let mut number = |t| match self.memo.slot_in(values, t).value()? {
                        Value::Int(n) => Some(RBig::from(n.clone())),
                        Value::Real(r) => Some((**r).clone()),
                        _ => None,
                    };
                    let (left, number) = (&mut left, &mut number);
                    let mut reader = UnivariateReader { store, order: None, subject: variable, left, number };
                    let sides: Vec<UnivariatePolynomial> =
                        args.iter().map(|&a| reader.read(a)).collect::<Option<_>>()?;
                    for (n, side) in sides.iter().enumerate() {
                        // All pairs: `distinct` compares them, and other chains have two sides, mostly.
                        for other in &sides[n + 1..] {
                            found.push(side.plus(&IBig::NEG_ONE, other).filter(|_| found.len() < MAX_COMPARISONS)?);
                        }
                    }
                }
                _ => return None,
            }
        }
        Some(found)
    }
}

/// Returns the roots of polynomials in ascending order, each once; `None` if they are not known, or too many.
fn sorted_roots(polynomials: &[UnivariatePolynomial]) -> Result<Option<Vec<AlgebraicNumber>>, AlgebraicError> {
    let mut found: Vec<AlgebraicNumber> = Vec::new();
    for polynomial in polynomials.iter().filter(|p| !p.is_zero()) {
        let Some(roots) = polynomial.real_roots() else { return Ok(None) };
        'roots: for root in roots {
            let (mut low, mut high) = (0, found.len());
            while low < high {
                let middle = low.midpoint(high);
                match found[middle].compare(&root, &AlgebraicLimits::EVALUATION)? {
                    Ordering::Less => low = middle + 1,
                    Ordering::Greater => high = middle,
                    Ordering::Equal => continue 'roots,
                }
            }
            found.insert(low, root);
        }
        if found.len() > MAX_ROOTS {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

/// Returns the roots, and a number below, between, and above them.
fn reals(roots: Vec<AlgebraicNumber>) -> Result<Vec<Value>, AlgebraicError> {
    let limits = &AlgebraicLimits::EVALUATION;
    let mut samples = vec![Value::real(between(None, roots.first(), limits)?)];
    for (n, root) in roots.iter().enumerate() {
        samples.push(Value::real(between(Some(root), roots.get(n + 1), limits)?));
        samples.push(Value::algebraic(root.clone(), limits)?);
    }
    Ok(samples)
}

/// Returns the integers next to the roots: each cell with an integer has one of them.
fn integers(roots: &[AlgebraicNumber]) -> Result<Vec<Value>, AlgebraicError> {
    let mut samples = BTreeSet::from([IBig::ZERO]);
    for root in roots {
        let floor = root.floor(&AlgebraicLimits::EVALUATION)?;
        samples.extend([&floor - IBig::ONE, &floor + IBig::ONE, floor]);
    }
    Ok(samples.into_iter().map(Value::Int).collect())
}
