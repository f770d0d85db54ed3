//! What rows of a simplex imply of literals that are open, and the explanations of those that were implied.

use crate::engines::arithmetic::simplex::{BoundReason, Column, Near, Simplex};
use crate::engines::arithmetic::tableau::ColumnBound;
use batsat::Lit;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};

/// Rows of more columns than this are not looked at: they seldom imply anything, and every look costs as many sums of rationals.
const MAX_COLUMNS: usize = 40;

/// The literals that are bounds, by their column.
#[derive(Clone, Debug, Default)]
pub(super) struct RowBounds {
    watched: FxHashMap<Column, Vec<(Lit, bool, Near)>>,
}

impl RowBounds {
    /// Looks for this literal from now on.
    pub(super) fn watch(&mut self, literal: Lit, bound: &ColumnBound) {
        self.watched.entry(bound.column).or_default().push((literal, bound.upper, bound.bound.clone()));
    }

    /// The basic columns that are, or whose rows have, one of these; ascending.
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

    /// The open literals that the row of a basic column implies, each with the reasons.
    ///
    /// The row says that the sum of `factor * column` is zero, the basic column's factor being minus one: each column is bounded
    /// by the bounds of all others.
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
        // The least the whole sum can be, and then the greatest.
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

/// The explanations of implied literals, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct ImpliedLiterals {
    reasons: Vec<Lit>,
    /// By the literal's index: where its explanation starts and ends, if it was implied.
    explained: Vec<Option<(u32, u32)>>,
    implied: Vec<Lit>,
    levels: Vec<(usize, usize)>,
}

impl ImpliedLiterals {
    /// Remembers why a literal holds.
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

    /// The literals that imply this one; none if it was not implied.
    pub(super) fn explanation(&self, literal: Lit) -> &[Lit] {
        let explained = self.explained.get(literal.idx() as usize).copied().flatten();
        explained.map_or(&[], |(start, end)| &self.reasons[start as usize..end as usize])
    }

    /// Whether this literal was implied.
    pub(super) fn contains(&self, literal: Lit) -> bool {
        self.explained.get(literal.idx() as usize).copied().flatten().is_some()
    }

    /// Begins a level.
    pub(super) fn create_level(&mut self) {
        self.levels.push((self.reasons.len(), self.implied.len()));
    }

    /// Takes back the last levels.
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
