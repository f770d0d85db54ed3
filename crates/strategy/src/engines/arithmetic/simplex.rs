//! The general simplex of Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)" (CAV 2006): exact rationals,
//! strict bounds by an infinitesimal, conflicts as sets of bounds.

use crate::budget::{Budget, Stopped};
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// A number plus a multiple of an infinitesimal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Near {
    /// The number. It comes first, so that the derived order is the right one.
    pub real: RBig,
    /// The coefficient of the infinitesimal.
    pub tiny: RBig,
}

impl Near {
    /// Returns a number alone.
    pub fn exactly(real: RBig) -> Near {
        Near { real, tiny: RBig::ZERO }
    }

    /// Adds a multiple of another.
    pub fn add_times(&mut self, factor: &RBig, other: &Near) {
        self.real += factor * &other.real;
        if other.tiny != RBig::ZERO {
            self.tiny += factor * &other.tiny;
        }
    }

    fn minus(&self, other: &Near) -> Near {
        Near { real: &self.real - &other.real, tiny: &self.tiny - &other.tiny }
    }

    /// Returns this divided by a nonzero number.
    pub fn divided(&self, by: &RBig) -> Near {
        Near { real: &self.real / by, tiny: &self.tiny / by }
    }
}

/// A variable of the tableau.
pub type Column = usize;

/// The caller's number for the party that asserted a bound.
pub type BoundReason = u32;

/// A bound with its reason.
pub type Bound = Option<(Near, BoundReason)>;

/// A sum of multiples of columns that are not basic.
type Row = FxHashMap<Column, RBig>;

/// A tableau: some columns are sums of others, all have bounds.
///
/// Invariant: nonbasic columns are within their bounds, and basic ones have the value of their row; basic columns outside of their bounds
/// are among the suspects.
#[derive(Default)]
pub struct Simplex {
    lower: Vec<Bound>,
    upper: Vec<Bound>,
    value: Vec<Near>,
    /// The rows of basic columns over nonbasic ones.
    rows: Vec<Option<Row>>,
    /// By nonbasic column: the basic ones whose rows contain it.
    holders: Vec<FxHashSet<Column>>,
    /// Basic columns that may be outside of their bounds, each once.
    suspects: Vec<Column>,
    is_suspect: Vec<bool>,
    /// The number of pivots since the last check began.
    pivots: u64,
    /// The total number of pivots.
    steps: u64,
}

/// After this many pivots in one check the choice of columns follows Bland's rule, which cannot cycle.
const PATIENCE: u64 = 200;

impl Simplex {
    /// Adds a column without bounds, with value zero.
    pub fn column(&mut self) -> Column {
        self.lower.push(None);
        self.upper.push(None);
        self.value.push(Near::default());
        self.rows.push(None);
        self.holders.push(FxHashSet::default());
        self.is_suspect.push(false);
        self.value.len() - 1
    }

    /// Adds a column that is a sum of multiples of others.
    pub fn sum(&mut self, summands: &[(Column, RBig)]) -> Column {
        let column = self.column();
        let mut row = Row::default();
        let mut value = Near::default();
        for (summand, factor) in summands {
            value.add_times(factor, &self.value[*summand]);
            match &self.rows[*summand] {
                None => add_to(&mut row, &mut self.holders, column, (*summand, factor)),
                Some(inner) => {
                    for (&c, f) in inner {
                        add_to(&mut row, &mut self.holders, column, (c, &(f * factor)));
                    }
                }
            }
        }
        self.value[column] = value;
        self.rows[column] = Some(row);
        column
    }

    /// Returns the value of a column.
    pub fn value(&self, column: Column) -> &Near {
        &self.value[column]
    }

    /// Returns the upper (`upper`) or lower bound of a column.
    pub fn bound(&self, column: Column, upper: bool) -> &Bound {
        if upper { &self.upper[column] } else { &self.lower[column] }
    }

    /// Restores an earlier bound of a column.
    pub fn loosen(&mut self, column: Column, upper: bool, bound: Bound) {
        *(if upper { &mut self.upper[column] } else { &mut self.lower[column] }) = bound;
    }

    /// Returns the row of a basic column, which equals this sum.
    pub fn row(&self, basic: Column) -> Option<&FxHashMap<Column, RBig>> {
        self.rows[basic].as_ref()
    }

    /// Returns the basic columns whose rows contain a nonbasic column, in no order.
    pub fn holders(&self, column: Column) -> impl Iterator<Item = Column> {
        self.holders[column].iter().copied()
    }

    /// Returns the total number of pivots, a deterministic measure of time.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns all bounds, to be restored later.
    pub fn bounds(&self) -> (Vec<Bound>, Vec<Bound>) {
        (self.lower.clone(), self.upper.clone())
    }

    /// Restores earlier bounds. Values stay, which is valid because bounds only get looser.
    pub fn restore(&mut self, bounds: (Vec<Bound>, Vec<Bound>)) {
        (self.lower, self.upper) = bounds;
    }

    /// Removes all bounds.
    pub fn clear_bounds(&mut self) {
        self.lower.iter_mut().for_each(|b| *b = None);
        self.upper.iter_mut().for_each(|b| *b = None);
    }

    /// Sets the upper (`upper`) or lower bound of a column.
    /// Errors: the two reasons of a lower bound above an upper one.
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
        if beyond(&self.value[column], &bound) {
            match self.rows[column] {
                Some(_) => self.suspect(column),
                None => self.move_to(column, bound),
            }
        }
        Ok(())
    }

    fn suspect(&mut self, column: Column) {
        if !std::mem::replace(&mut self.is_suspect[column], true) {
            self.suspects.push(column);
        }
    }

    /// Sets the value of a nonbasic column, and updates the basic ones.
    fn move_to(&mut self, column: Column, to: Near) {
        let step = to.minus(&self.value[column]);
        let holders = std::mem::take(&mut self.holders[column]);
        for &basic in &holders {
            if let Some(factor) = self.rows[basic].as_ref().and_then(|row| row.get(&column)) {
                self.value[basic].add_times(factor, &step);
                self.suspect(basic);
            }
        }
        self.holders[column] = holders;
        self.value[column] = to;
    }

    /// Brings all columns within their bounds.
    /// Errors: the reasons of infeasible bounds, or [`Stopped`].
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
            self.steps += 1;
        }
    }

    /// Returns a basic column outside of its bounds, and whether it is too low: by Bland's rule the first one, otherwise the furthest
    /// one. Removes the suspects that are not.
    fn violated(&mut self) -> Option<(Column, bool)> {
        let mut worst: Option<(Column, bool, Near)> = None;
        let mut n = 0;
        while let Some(&basic) = self.suspects.get(n) {
            let value = &self.value[basic];
            let low = self.lower[basic].as_ref().filter(|(b, _)| value < b).map(|(b, _)| (true, b.minus(value)));
            let high = self.upper[basic].as_ref().filter(|(b, _)| value > b).map(|(b, _)| (false, value.minus(b)));
            let Some((low, distance)) = low.or(high).filter(|_| self.rows[basic].is_some()) else {
                self.is_suspect[basic] = false;
                self.suspects.swap_remove(n);
                continue;
            };
            let is_worse = |w: &(Column, bool, Near)| match self.pivots > PATIENCE {
                true => basic < w.0,
                false => (&distance, w.0) > (&w.2, basic),
            };
            if worst.as_ref().is_none_or(is_worse) {
                worst = Some((basic, low, distance));
            }
            n += 1;
        }
        worst.map(|(basic, low, _)| (basic, low))
    }

    /// Returns a column of the row that can move the basic one back: one with the shortest column, or by Bland's rule the first.
    fn partner(&self, basic: Column, low: bool) -> Option<Column> {
        let movable = self.rows[basic].iter().flatten().filter(|(column, factor)| {
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
        movable.map(|(&c, _)| c).min_by_key(|&c| (self.holders[c].len(), c))
    }

    /// Returns the bounds that keep a basic column outside of its own (the explanation of the paper, section 4.3).
    fn explain(&self, basic: Column, low: bool) -> Vec<BoundReason> {
        let own = if low { &self.lower[basic] } else { &self.upper[basic] };
        let mut reasons: Vec<BoundReason> = own.iter().map(|b| b.1).collect();
        for (&column, factor) in self.rows[basic].iter().flatten() {
            let at_upper = (*factor > RBig::ZERO) == low;
            let bound = if at_upper { &self.upper[column] } else { &self.lower[column] };
            reasons.extend(bound.iter().map(|b| b.1));
        }
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// Makes `partner` basic instead of `basic`, which gets the value `target`.
    fn pivot(&mut self, basic: Column, partner: Column, target: Near) {
        let Some(mut row) = self.rows[basic].take() else { return };
        let Some(factor) = row.remove(&partner) else { return };
        for &column in row.keys() {
            self.holders[column].remove(&basic);
        }
        let step = target.minus(&self.value[basic]).divided(&factor);
        // basic = factor * partner + rest, so partner = basic / factor - rest / factor.
        let inverse = RBig::ONE / &factor;
        let mut turned: Row = row.into_iter().map(|(c, f)| (c, -(f * &inverse))).collect();
        turned.insert(basic, inverse);
        for other in std::mem::take(&mut self.holders[partner]) {
            // The row of the formerly basic column is gone.
            let Some(mut row) = self.rows[other].take() else { continue };
            if let Some(factor) = row.remove(&partner) {
                self.value[other].add_times(&factor, &step);
                self.suspect(other);
                for (&column, f) in &turned {
                    add_to(&mut row, &mut self.holders, other, (column, &(f * &factor)));
                }
            }
            self.rows[other] = Some(row);
        }
        for &column in turned.keys() {
            self.holders[column].insert(partner);
        }
        self.value[partner].add_times(&RBig::ONE, &step);
        self.value[basic] = target;
        self.rows[partner] = Some(turned);
        self.suspect(partner);
    }

    /// Returns a positive number for the infinitesimal that keeps every column within its bounds.
    pub fn concrete_infinitesimal(&self) -> RBig {
        let mut tiny = RBig::ONE;
        let mut keep = |low: &Near, high: &Near| {
            // low.real + low.tiny * t <= high.real + high.tiny * t must still hold.
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

/// Adds a multiple of a column to the row of a basic one.
fn add_to(row: &mut Row, holders: &mut [FxHashSet<Column>], basic: Column, (column, factor): (Column, &RBig)) {
    match row.entry(column) {
        Entry::Occupied(mut entry) => {
            *entry.get_mut() += factor;
            if *entry.get() == RBig::ZERO {
                entry.remove();
                holders[column].remove(&basic);
            }
        }
        Entry::Vacant(entry) => {
            entry.insert(factor.clone());
            holders[column].insert(basic);
        }
    }
}
