//! Linear sums inside the search: every literal is a bound on a column of a simplex, whose conflicts are clauses, and rows imply literals
//! (Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)", CAV 2006, sections 4 and 5).

use super::implied::RowBounds;
use super::{AtomLiteral, Trail, TrailTheory, literal_of};
use crate::engines::arithmetic::simplex::{Bound, Column};
use crate::engines::arithmetic::tableau::{ColumnBound, Tableau};
use batsat::{Lit, TheoryArg, lbool};
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;
use smtlib::TermId;

/// The theory of linear sums for the SAT solver. Reasons of bounds are the indices of literals.
pub(in crate::engines::smt) struct LinearTheory {
    tableau: Tableau,
    /// By the literal's index: its bound, if needed.
    bounds: Vec<Option<ColumnBound>>,
    rows: RowBounds,
    /// Replaced bounds, in order.
    replaced: Vec<(Column, bool, Bound)>,
    /// Whether bounds were added since the simplex last satisfied all of them.
    unchecked: bool,
}

impl LinearTheory {
    /// Makes a theory of atoms with their literals: the first bound of each is that of the atom, the second that of its negation.
    pub(in crate::engines::smt) fn new(
        tableau: Tableau,
        atoms: impl Iterator<Item = (AtomLiteral, [ColumnBound; 2])>,
    ) -> LinearTheory {
        let mut theory = LinearTheory {
            tableau,
            bounds: Vec::new(),
            rows: RowBounds::default(),
            replaced: Vec::new(),
            unchecked: false,
        };
        for (atom, bounds) in atoms {
            for ((literal, is_needed), bound) in atom.both().into_iter().zip(bounds) {
                theory.rows.watch(literal, &bound);
                if is_needed {
                    let index = literal.idx() as usize;
                    theory.bounds.resize(theory.bounds.len().max(index + 1), None);
                    theory.bounds[index] = Some(bound);
                }
            }
        }
        theory
    }

    /// Passes on the consequences of rows with a changed column to the solver.
    fn imply(&self, trail: &mut Trail, acts: &mut TheoryArg, changed: &FxHashSet<Column>) {
        for basic in RowBounds::touched(&self.tableau.simplex, changed) {
            let is_open = |literal: Lit| acts.value(literal.var()) == lbool::UNDEF;
            for (literal, reasons) in self.rows.implied(&self.tableau.simplex, basic, is_open) {
                // Another row may have implied it, or the solver derived it.
                if acts.value(literal.var()) == lbool::UNDEF {
                    trail.implied.explain(literal, reasons.into_iter().map(literal_of));
                    if !acts.propagate(literal) {
                        return;
                    }
                }
            }
        }
    }
}

impl TrailTheory for LinearTheory {
    fn check(&mut self, trail: &mut Trail, acts: &mut TheoryArg) {
        let mut changed: FxHashSet<Column> = FxHashSet::default();
        while let Some(literal) = trail.next(acts) {
            let Some(ColumnBound { column, upper, bound }) = self.bounds.get(literal.idx() as usize).cloned().flatten()
            else {
                continue;
            };
            let before = self.tableau.simplex.bound(column, upper).clone();
            if let Err(reasons) = self.tableau.simplex.assert(column, upper, bound, literal.idx()) {
                return trail.conflicts.raise(acts, &reasons);
            }
            if *self.tableau.simplex.bound(column, upper) != before {
                self.replaced.push((column, upper, before));
                changed.insert(column);
                self.unchecked = true;
            }
        }
        if !self.unchecked || trail.stopped {
            return;
        }
        match self.tableau.simplex.check(&trail.budget) {
            Err(_) => trail.stopped = true,
            Ok(Err(reasons)) => trail.conflicts.raise(acts, &reasons),
            Ok(Ok(())) => {
                self.unchecked = false;
                self.imply(trail, acts, &changed);
            }
        }
    }

    fn mark(&self) -> usize {
        self.replaced.len()
    }

    fn take_back(&mut self, mark: usize) {
        for (column, upper, bound) in self.replaced.drain(mark..).rev() {
            self.tableau.simplex.loosen(column, upper, bound);
        }
    }

    fn values(&self) -> Option<Vec<(TermId, RBig)>> {
        let values = self.tableau.values(&[]);
        let integral =
            |((_, _, integer), (_, value)): (&(TermId, Column, bool), &(TermId, RBig))| !integer || value.is_int();
        self.tableau.symbols.iter().zip(&values).all(integral).then_some(values)
    }
}
