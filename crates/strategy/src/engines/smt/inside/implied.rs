//! The open literals that rows of a simplex imply, and their explanations.

use crate::engines::arithmetic::simplex::{BoundReason, Column, Near, Simplex};
use crate::engines::arithmetic::tableau::ColumnBound;
use batsat::Lit;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of columns of examined rows: longer ones seldom imply anything, and each costs as many rational sums.
const MAX_COLUMNS: usize = 40;

/// The literals that are bounds, by column.
#[derive(Clone, Debug, Default)]
pub(super) struct RowBounds {
    watched: FxHashMap<Column, Vec<(Lit, bool, Near)>>,
}

impl RowBounds {
    /// Registers a literal.
    pub(super) fn watch(&mut self, literal: Lit, bound: &ColumnBound) {
        self.watched.entry(bound.column).or_default().push((literal, bound.upper, bound.bound.clone()));
    }

    /// Returns the basic columns that are among these, or whose rows contain one; ascending.
    pub(super) fn touched(simplex: &Simplex, changed: &FxHashSet<Column>) -> Vec<Column> {
        let mut rows: Vec<Column> = Vec::new();
        for &column in changed {
            match simplex.row(column) {
                Some(_) => rows.push(column),
                None => rows.extend(simplex.holders(column)),
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Returns the open literals that the row of a basic column implies, each with the reasons.
    ///
    /// The row states that the sum of `factor * column` is zero, with factor minus one for the basic column: each column is bounded by
    /// the bounds of all others.
    pub(super) fn implied(
        &self,
        simplex: &Simplex,
        basic: Column,
        is_open: impl Fn(Lit) -> bool,
    ) -> Vec<(Lit, Vec<BoundReason>)> {
        let Some(row) = simplex.row(basic).filter(|row| row.len() <= MAX_COLUMNS) else { return Vec::new() };
        let minus = RBig::NEG_ONE;
        let columns = || row.iter().map(|(&c, f)| (c, f)).chain(std::iter::once((basic, &minus)));
        let is_wanted = |column: Column| {
            self.watched.get(&column).is_some_and(|watched| watched.iter().any(|(literal, ..)| is_open(*literal)))
        };
        if !columns().any(|(column, _)| is_wanted(column)) {
            return Vec::new();
        }
        let mut found = Vec::new();
        // The minimum of the whole sum, and then the maximum.
        for least in [true, false] {
            let side = |factor: &RBig| (*factor > RBig::ZERO) != least;
            let mut sum = Near::default();
            let mut open = Vec::new();
            for (column, factor) in columns() {
                match simplex.bound(column, side(factor)) {
                    Some((bound, _)) => sum.add_times(factor, bound),
                    None => open.push(column),
                }
                if open.len() > 1 {
                    break;
                }
            }
            if open.len() > 1 {
                continue;
            }
            for (column, factor) in columns().filter(|(column, _)| open.is_empty() || open[0] == *column) {
                if !is_wanted(column) {
                    continue;
                }
                // factor * column is at most (for the least sum) minus the others' sum.
                let mut others = sum.clone();
                if let Some((bound, _)) = simplex.bound(column, side(factor)).as_ref().filter(|_| open.is_empty()) {
                    others.add_times(&-factor.clone(), bound);
                }
                let bound = others.divided(&-factor.clone());
                let upper = (*factor > RBig::ZERO) == least;
                let follows = |literal: Lit, is_upper: bool, than: &Near| {
                    is_upper == upper && is_open(literal) && if upper { bound <= *than } else { bound >= *than }
                };
                for (literal, is_upper, than) in &self.watched[&column] {
                    if follows(*literal, *is_upper, than) {
                        let others = columns().filter(|(other, _)| *other != column);
                        let reasons = others
                            .filter_map(|(other, factor)| simplex.bound(other, side(factor)).as_ref().map(|b| b.1));
                        found.push((*literal, reasons.collect()));
                    }
                }
            }
        }
        found
    }
}

/// The explanations of implied literals.
#[derive(Clone, Debug, Default)]
pub(super) struct ImpliedLiterals {
    reasons: Vec<Lit>,
    /// By the literal's index: the range of its explanation, if it was implied.
    explained: Vec<Option<(u32, u32)>>,
    implied: Vec<Lit>,
    levels: Vec<(usize, usize)>,
}

impl ImpliedLiterals {
    /// Stores the explanation of a literal.
    pub(super) fn explain(&mut self, literal: Lit, reasons: impl Iterator<Item = Lit>) {
        let start = self.reasons.len() as u32;
        self.reasons.extend(reasons);
        let index = literal.idx() as usize;
        if self.explained.len() <= index {
            self.explained.resize(index + 1, None);
        }
        self.explained[index] = Some((start, self.reasons.len() as u32));
        self.implied.push(literal);
    }

    /// Returns the literals that imply this one; empty if it was not implied.
    pub(super) fn explanation(&self, literal: Lit) -> &[Lit] {
        let explained = self.explained.get(literal.idx() as usize).copied().flatten();
        explained.map_or(&[], |(start, end)| &self.reasons[start as usize..end as usize])
    }

    /// Whether this literal was implied.
    pub(super) fn contains(&self, literal: Lit) -> bool {
        self.explained.get(literal.idx() as usize).copied().flatten().is_some()
    }

    /// Starts a level.
    pub(super) fn create_level(&mut self) {
        self.levels.push((self.reasons.len(), self.implied.len()));
    }

    /// Removes the last levels.
    pub(super) fn pop_levels(&mut self, n: usize) {
        let Some(&(reasons, implied)) = self.levels.len().checked_sub(n).and_then(|level| self.levels.get(level))
        else {
            return;
        };
        self.levels.truncate(self.levels.len() - n);
        self.reasons.truncate(reasons);
        for literal in self.implied.drain(implied..) {
            self.explained[literal.idx() as usize] = None;
        }
    }
}
