//! The general simplex of Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)" (CAV 2006): exact rationals,
//! strict bounds by an infinitesimal, conflicts as sets of bounds.

use crate::budget::{Budget, Stopped};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A number plus a multiple of an infinitesimal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Near {
    /// The number. It comes first, so that the derived order is the right one.
    pub real: RBig,
    /// The multiple of the infinitesimal.
    pub tiny: RBig,
}

impl Near {
    /// A number alone.
    pub fn exactly(real: RBig) -> Near {
        Near { real, tiny: RBig::ZERO }
    }

    fn add_times(&mut self, factor: &RBig, other: &Near) {
        self.real += factor * &other.real;
        if other.tiny != RBig::ZERO {
            self.tiny += factor * &other.tiny;
        }
    }

    fn minus(&self, other: &Near) -> Near {
        Near { real: &self.real - &other.real, tiny: &self.tiny - &other.tiny }
    }

    fn divided(&self, by: &RBig) -> Near {
        Near { real: &self.real / by, tiny: &self.tiny / by }
    }
}

/// A variable of the tableau.
pub type Column = usize;

/// Who asserted a bound: a number of the caller's.
pub type BoundReason = u32;

/// A bound with its reason.
pub type Bound = Option<(Near, BoundReason)>;

/// A tableau: some columns are sums of others, all have bounds.
///
/// Invariant: columns that are not basic are within their bounds, and basic ones have the value their row gives.
#[derive(Default)]
pub struct Simplex {
    lower: Vec<Bound>,
    upper: Vec<Bound>,
    value: Vec<Near>,
    /// The rows of basic columns over those that are not.
    rows: BTreeMap<Column, FxHashMap<Column, RBig>>,
    /// Pivots since the last check began.
    pivots: u64,
}

/// After so many pivots of one check the choice of columns follows Bland's rule, which cannot cycle.
const PATIENCE: u64 = 200;

impl Simplex {
    /// A new column without bounds, of value zero.
    pub fn column(&mut self) -> Column {
        self.lower.push(None);
        self.upper.push(None);
        self.value.push(Near::default());
        self.value.len() - 1
    }

    /// A new column that is a sum of multiples of others.
    pub fn sum(&mut self, summands: &[(Column, RBig)]) -> Column {
        let mut row = FxHashMap::default();
        let mut value = Near::default();
        for (column, factor) in summands {
            value.add_times(factor, &self.value[*column]);
            match self.rows.get(column) {
                None => add_to(&mut row, *column, factor),
                Some(inner) => {
                    let parts: Vec<(Column, RBig)> = inner.iter().map(|(&c, f)| (c, f * factor)).collect();
                    parts.iter().for_each(|(c, f)| add_to(&mut row, *c, f));
                }
            }
        }
        let column = self.column();
        self.value[column] = value;
        self.rows.insert(column, row);
        column
    }

    /// The value of a column.
    pub fn value(&self, column: Column) -> &Near {
        &self.value[column]
    }

    /// All bounds, to come back to.
    pub fn bounds(&self) -> (Vec<Bound>, Vec<Bound>) {
        (self.lower.clone(), self.upper.clone())
    }

    /// Comes back to bounds that were all there were once. Values stay, which is right since bounds only get looser.
    pub fn restore(&mut self, bounds: (Vec<Bound>, Vec<Bound>)) {
        (self.lower, self.upper) = bounds;
    }

    /// Removes all bounds.
    pub fn clear_bounds(&mut self) {
        self.lower.iter_mut().for_each(|b| *b = None);
        self.upper.iter_mut().for_each(|b| *b = None);
    }

    /// Bounds a column from above (`upper`) or below.
    ///
    /// # Errors
    /// The two reasons of a lower bound above an upper one.
    pub fn assert(
        &mut self,
        column: Column,
        upper: bool,
        bound: Near,
        reason: BoundReason,
    ) -> Result<(), Vec<BoundReason>> {
        let (same, other) = match upper {
            true => (&mut self.upper[column], &self.lower[column]),
            false => (&mut self.lower[column], &self.upper[column]),
        };
        let beyond = |a: &Near, b: &Near| if upper { a > b } else { a < b };
        if let Some((known, _)) = same
            && !beyond(known, &bound)
        {
            return Ok(());
        }
        if let Some((limit, why)) = other
            && beyond(limit, &bound)
        {
            return Err(vec![*why, reason]);
        }
        *same = Some((bound.clone(), reason));
        if !self.rows.contains_key(&column) && beyond(&self.value[column], &bound) {
            self.move_to(column, bound);
        }
        Ok(())
    }

    /// Gives a column that is not basic a value, and the basic ones theirs.
    fn move_to(&mut self, column: Column, to: Near) {
        let step = to.minus(&self.value[column]);
        for (&basic, row) in &self.rows {
            if let Some(factor) = row.get(&column) {
                self.value[basic].add_times(factor, &step);
            }
        }
        self.value[column] = to;
    }

    /// Brings all columns within their bounds.
    ///
    /// # Errors
    /// The reasons of bounds that no values are within, or [`Stopped`].
    pub fn check(&mut self, budget: &Budget) -> Result<Result<(), Vec<BoundReason>>, Stopped> {
        self.pivots = 0;
        loop {
            if self.pivots.is_multiple_of(16) {
                budget.check()?;
            }
            let Some((basic, low)) = self.violated() else { return Ok(Ok(())) };
            let Some(partner) = self.partner(basic, low) else { return Ok(Err(self.explain(basic, low))) };
            let bound = if low { &self.lower[basic] } else { &self.upper[basic] };
            let Some((target, _)) = bound.clone() else { continue };
            self.pivot(basic, partner, target);
            self.pivots += 1;
        }
    }

    /// A basic column out of its bounds, and whether it is too low: the first one, or at first the one furthest out.
    fn violated(&self) -> Option<(Column, bool)> {
        let mut worst: Option<(Column, bool, Near)> = None;
        for &basic in self.rows.keys() {
            let value = &self.value[basic];
            let low = self.lower[basic].as_ref().filter(|(b, _)| value < b).map(|(b, _)| (true, b.minus(value)));
            let high = self.upper[basic].as_ref().filter(|(b, _)| value > b).map(|(b, _)| (false, value.minus(b)));
            let Some((low, distance)) = low.or(high) else { continue };
            if self.pivots > PATIENCE {
                return Some((basic, low));
            }
            if worst.as_ref().is_none_or(|w| distance > w.2) {
                worst = Some((basic, low, distance));
            }
        }
        worst.map(|(basic, low, _)| (basic, low))
    }

    /// A column of the row that can move the basic one back: one with the shortest column, or by Bland's rule the first.
    fn partner(&self, basic: Column, low: bool) -> Option<Column> {
        let row = &self.rows[&basic];
        let movable = row.iter().filter(|(column, factor)| {
            let rises = (**factor > RBig::ZERO) == low;
            let value = &self.value[**column];
            match rises {
                true => self.upper[**column].as_ref().is_none_or(|(b, _)| value < b),
                false => self.lower[**column].as_ref().is_none_or(|(b, _)| value > b),
            }
        });
        if self.pivots > PATIENCE {
            return movable.map(|(&c, _)| c).min();
        }
        movable.map(|(&c, _)| c).min_by_key(|c| (self.rows.values().filter(|row| row.contains_key(c)).count(), *c))
    }

    /// The bounds that keep a basic column out of its own (the explanation of the paper, section 4.3).
    fn explain(&self, basic: Column, low: bool) -> Vec<BoundReason> {
        let own = if low { &self.lower[basic] } else { &self.upper[basic] };
        let mut reasons: Vec<BoundReason> = own.iter().map(|b| b.1).collect();
        for (&column, factor) in &self.rows[&basic] {
            let at_upper = (*factor > RBig::ZERO) == low;
            let bound = if at_upper { &self.upper[column] } else { &self.lower[column] };
            reasons.extend(bound.iter().map(|b| b.1));
        }
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// Makes `partner` basic in the place of `basic`, which gets the value `target`.
    fn pivot(&mut self, basic: Column, partner: Column, target: Near) {
        let Some(mut row) = self.rows.remove(&basic) else { return };
        let Some(factor) = row.remove(&partner) else { return };
        let step = target.minus(&self.value[basic]).divided(&factor);
        // basic = factor * partner + rest, so partner = basic / factor - rest / factor.
        let inverse = RBig::ONE / &factor;
        let mut turned: FxHashMap<Column, RBig> = row.into_iter().map(|(c, f)| (c, -(f * &inverse))).collect();
        turned.insert(basic, inverse);
        for (&other, row) in &mut self.rows {
            if let Some(factor) = row.remove(&partner) {
                self.value[other].add_times(&factor, &step);
                for (&column, f) in &turned {
                    add_to(row, column, &(f * &factor));
                }
            }
        }
        self.value[partner].add_times(&RBig::ONE, &step);
        self.value[basic] = target;
        self.rows.insert(partner, turned);
    }

    /// A positive number for the infinitesimal that keeps every column within its bounds.
    pub fn concrete_infinitesimal(&self) -> RBig {
        let mut tiny = RBig::ONE;
        let mut keep = |low: &Near, high: &Near| {
            // low.real + low.tiny * t <= high.real + high.tiny * t has to go on to hold.
            if low.real < high.real && low.tiny > high.tiny {
                let most = (&high.real - &low.real) / (&low.tiny - &high.tiny);
                if most < tiny {
                    tiny = most;
                }
            }
        };
        for (column, value) in self.value.iter().enumerate() {
            if let Some((bound, _)) = &self.lower[column] {
                keep(bound, value);
            }
            if let Some((bound, _)) = &self.upper[column] {
                keep(value, bound);
            }
        }
        tiny
    }
}

fn add_to(row: &mut FxHashMap<Column, RBig>, column: Column, factor: &RBig) {
    let entry = row.entry(column).or_default();
    *entry += factor;
    if *entry == RBig::ZERO {
        row.remove(&column);
    }
}
