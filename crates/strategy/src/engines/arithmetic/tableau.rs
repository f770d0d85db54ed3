//! Linear constraints as bounds on the columns of a simplex tableau.

use super::simplex::{Column, Near, Simplex};
use crate::constraint::{LinearConstraint, LinearForm, LinearRelation};
use dashu_base::{Gcd, Sign};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use smtlib::{SortId, Store, TermId};

/// A constraint as bounds on a column.
#[derive(Clone, PartialEq, Debug)]
pub enum ColumnBounds {
    /// The constraint has no symbols.
    Constant(bool),
    /// The column is at most (`upper`) or at least the bound; two bounds for an equality.
    Bounds(Column, Vec<(bool, Near)>),
    /// The column is not equal to this.
    Distinct(Column, RBig),
}

/// One bound of a column.
#[derive(Clone, PartialEq, Debug)]
pub struct ColumnBound {
    /// The column.
    pub column: Column,
    /// Whether the bound is an upper bound.
    pub upper: bool,
    /// The bound.
    pub bound: Near,
}

/// A tableau with a column for each symbol and for each sum of them, up to a factor.
#[derive(Default)]
pub struct Tableau {
    /// The columns' bounds and values.
    pub simplex: Simplex,
    /// Symbols with their columns, and whether they are integers.
    pub symbols: Vec<(TermId, Column, bool)>,
    columns: FxHashMap<TermId, Column>,
    sums: FxHashMap<Vec<(Column, RBig)>, Column>,
    prepared: FxHashMap<LinearConstraint, ColumnBounds>,
}

impl Tableau {
    /// Returns a constraint as a single bound, if it is one.
    pub fn bound(&mut self, store: &Store, constraint: &LinearConstraint) -> Option<ColumnBound> {
        let ColumnBounds::Bounds(column, bounds) = self.prepare(store, constraint) else { return None };
        let [(upper, bound)] = bounds.as_slice() else { return None };
        Some(ColumnBound { column, upper: *upper, bound: bound.clone() })
    }

    /// Returns a constraint that is a single bound as "the column is at least this" or its negation: the column, whether it is not
    /// negated, and the least value.
    ///
    /// This orders constraints on one column: a lower bound implies every smaller one.
    pub fn threshold(&mut self, store: &Store, constraint: &LinearConstraint) -> Option<(Column, bool, Near)> {
        let ColumnBound { column, upper, bound } = self.bound(store, constraint)?;
        if !upper {
            return Some((column, true, bound));
        }
        let integral = constraint.form.summands.iter().all(|(t, _)| store.sort(*t) == SortId::INT);
        let next = match integral {
            true => Near::exactly(&bound.real + RBig::ONE),
            false => Near { real: bound.real.clone(), tiny: &bound.tiny + RBig::ONE },
        };
        Some((column, false, next))
    }

    /// Returns a constraint as bounds, cached.
    pub fn prepare(&mut self, store: &Store, constraint: &LinearConstraint) -> ColumnBounds {
        if let Some(known) = self.prepared.get(constraint) {
            return known.clone();
        }
        let prepared = self.translate(store, constraint);
        self.prepared.insert(constraint.clone(), prepared.clone());
        prepared
    }

    fn translate(&mut self, store: &Store, constraint: &LinearConstraint) -> ColumnBounds {
        let LinearForm { summands, constant } = &constraint.form;
        let zero = RBig::ZERO;
        if summands.is_empty() {
            return ColumnBounds::Constant(match constraint.relation {
                LinearRelation::AtMost => *constant <= zero,
                LinearRelation::Below => *constant < zero,
                LinearRelation::Equal => *constant == zero,
                LinearRelation::Distinct => *constant != zero,
            });
        }
        // As a multiple of a sum with coprime integer coefficients, the first of them positive.
        let factor = primitive_factor(summands);
        let integral = summands.iter().all(|(t, _)| store.sort(*t) == SortId::INT);
        let list: Vec<(Column, RBig)> = summands.iter().map(|(t, c)| (self.symbol(store, *t), c * &factor)).collect();
        let column = match list.as_slice() {
            [(column, one)] if *one == RBig::ONE => *column,
            _ => match self.sums.get(&list) {
                Some(&column) => column,
                None => {
                    let column = self.simplex.sum(&list);
                    self.sums.insert(list, column);
                    column
                }
            },
        };
        let bound = -(constant * &factor);
        let upper = factor > zero;
        let whole = bound.is_int();
        match constraint.relation {
            LinearRelation::Equal if integral && !whole => ColumnBounds::Constant(false),
            LinearRelation::Distinct if integral && !whole => ColumnBounds::Constant(true),
            LinearRelation::Equal => {
                let bound = Near::exactly(bound);
                ColumnBounds::Bounds(column, vec![(true, bound.clone()), (false, bound)])
            }
            LinearRelation::Distinct => ColumnBounds::Distinct(column, bound),
            LinearRelation::AtMost | LinearRelation::Below => {
                let strict = constraint.relation == LinearRelation::Below;
                // A sum of integers below a bound is at most the greatest integer below it.
                let bound = match (integral, upper) {
                    (true, true) if strict => Near::exactly(RBig::from(bound.ceil() - IBig::ONE)),
                    (true, true) => Near::exactly(RBig::from(bound.floor())),
                    (true, false) if strict => Near::exactly(RBig::from(bound.floor() + IBig::ONE)),
                    (true, false) => Near::exactly(RBig::from(bound.ceil())),
                    _ if !strict => Near::exactly(bound),
                    (_, true) => Near { real: bound, tiny: RBig::NEG_ONE },
                    (_, false) => Near { real: bound, tiny: RBig::ONE },
                };
                ColumnBounds::Bounds(column, vec![(upper, bound)])
            }
        }
    }

    fn symbol(&mut self, store: &Store, t: TermId) -> Column {
        if let Some(&column) = self.columns.get(&t) {
            return column;
        }
        let column = self.simplex.column();
        self.columns.insert(t, column);
        self.symbols.push((t, column, store.sort(t) == SortId::INT));
        column
    }

    /// Returns the values of the symbols, with an infinitesimal small enough for disequalities.
    pub fn values(&self, distinct: &[(Column, RBig)]) -> Vec<(TermId, RBig)> {
        let mut tiny = self.simplex.concrete_infinitesimal();
        let at = |column: Column, tiny: &RBig| {
            let value = self.simplex.value(column);
            &value.real + &value.tiny * tiny
        };
        // Each disequality excludes only one number, so this terminates.
        while distinct.iter().any(|(column, value)| at(*column, &tiny) == *value) {
            tiny /= RBig::from(2u8);
        }
        self.symbols.iter().map(|&(t, column, _)| (t, at(column, &tiny))).collect()
    }
}

/// Returns the factor that makes coefficients coprime integers, the first one positive.
fn primitive_factor(summands: &[(TermId, RBig)]) -> RBig {
    let mut denominators = UBig::ONE;
    for (_, c) in summands {
        let common = (&denominators).gcd(c.denominator());
        denominators = denominators / common * c.denominator();
    }
    let mut divisor = UBig::ZERO;
    for (_, c) in summands {
        let scaled = c * RBig::from(denominators.clone());
        let (_, magnitude) = scaled.numerator().clone().into_parts();
        divisor = if divisor.is_zero() { magnitude } else { divisor.gcd(magnitude) };
    }
    let negative = summands.first().is_some_and(|(_, c)| c.sign() == Sign::Negative);
    let factor = RBig::from(denominators) / RBig::from(divisor.max(UBig::ONE));
    if negative { -factor } else { factor }
}
