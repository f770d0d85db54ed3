//! Linear sums inside of the search: every literal is a bound of a column of a simplex, whose conflicts are clauses, and rows
//! imply literals (Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)", CAV 2006, sections 4 and 5).

use super::implied::{ImpliedLiterals, RowBounds};
use super::{AtomLiteral, ConflictLog, TrailTheory, literal_of};
use crate::budget::Budget;
use crate::engines::arithmetic::simplex::{Bound, Column};
use crate::engines::arithmetic::tableau::{ColumnBound, Tableau};
use batsat::{Lit, TheoryArg, lbool};
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;
use smtlib::TermId;

/// What to go back to when a level is taken back.
#[derive(Clone, Copy, Debug, Default)]
struct BoundMark {
    head: usize,
    bounds: usize,
}

/// The theory of linear sums, as the SAT solver asks it. Reasons of bounds are the indices of literals.
pub(in crate::engines::smt) struct LinearTheory {
    tableau: Tableau,
    /// By the literal's index: the bound that it is, if it is needed.
    bounds: Vec<Option<ColumnBound>>,
    rows: RowBounds,
    implied: ImpliedLiterals,
    conflicts: ConflictLog,
    /// How much of the trail was looked at.
    head: usize,
    levels: Vec<BoundMark>,
    /// Bounds that were replaced, the last one last.
    replaced: Vec<(Column, bool, Bound)>,
    /// Whether bounds were added since the simplex last met all of them.
    unchecked: bool,
    budget: Budget,
    stopped: bool,
}

impl LinearTheory {
    /// A theory of atoms with their literals: the first bound of each is that of the atom, the second that of its negation.
    pub(in crate::engines::smt) fn new(
        tableau: Tableau,
        atoms: Vec<(AtomLiteral, [ColumnBound; 2])>,
        budget: &Budget,
    ) -> LinearTheory {
        let mut theory = LinearTheory {
            tableau,
            bounds: Vec::new(),
            rows: RowBounds::default(),
            implied: ImpliedLiterals::default(),
            conflicts: ConflictLog::of(budget),
            head: 0,
            levels: Vec::new(),
            replaced: Vec::new(),
            unchecked: false,
            budget: budget.clone(),
            stopped: false,
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

    /// Tells the solver what rows imply that have a column whose bounds changed.
    fn imply(&mut self, acts: &mut TheoryArg, changed: &FxHashSet<Column>) {
        for basic in RowBounds::touched(&self.tableau.simplex, changed) {
            let is_open = |literal: Lit| acts.value(literal.var()) == lbool::UNDEF;
            for (literal, reasons) in self.rows.implied(&self.tableau.simplex, basic, is_open) {
                // An earlier one may have said so, or the solver drawn a conclusion of it.
                if acts.value(literal.var()) == lbool::UNDEF {
                    self.implied.explain(literal, reasons.into_iter().map(literal_of));
                    if !acts.propagate(literal) {
                        return;
                    }
                }
            }
        }
    }
}

impl TrailTheory for LinearTheory {
    fn check(&mut self, acts: &mut TheoryArg) {
        let mut changed: FxHashSet<Column> = FxHashSet::default();
        while let Some(&literal) = acts.model().get(self.head) {
            self.head += 1;
            let Some(ColumnBound { column, upper, bound }) = self.bounds.get(literal.idx() as usize).cloned().flatten()
            else {
                continue;
            };
            let before = self.tableau.simplex.bound(column, upper).clone();
            if let Err(reasons) = self.tableau.simplex.assert(column, upper, bound, literal.idx()) {
                return self.conflicts.raise(acts, &reasons);
            }
            if *self.tableau.simplex.bound(column, upper) != before {
                self.replaced.push((column, upper, before));
                changed.insert(column);
                self.unchecked = true;
            }
        }
        if !self.unchecked || self.stopped {
            return;
        }
        match self.tableau.simplex.check(&self.budget) {
            Err(_) => self.stopped = true,
            Ok(Err(reasons)) => self.conflicts.raise(acts, &reasons),
            Ok(Ok(())) => {
                self.unchecked = false;
                self.imply(acts, &changed);
            }
        }
    }

    fn create_level(&mut self) {
        self.implied.create_level();
        self.levels.push(BoundMark { head: self.head, bounds: self.replaced.len() });
    }

    fn pop_levels(&mut self, n: usize) {
        let Some(&mark) = self.levels.len().checked_sub(n).and_then(|level| self.levels.get(level)) else { return };
        self.levels.truncate(self.levels.len() - n);
        self.implied.pop_levels(n);
        self.head = mark.head;
        for (column, upper, bound) in self.replaced.drain(mark.bounds..).rev() {
            self.tableau.simplex.loosen(column, upper, bound);
        }
    }

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn implied(&self) -> &ImpliedLiterals {
        &self.implied
    }

    fn conflicts(&mut self) -> &mut ConflictLog {
        &mut self.conflicts
    }

    fn is_stopped(&self) -> bool {
        self.stopped
    }

    fn values(&self) -> Option<Vec<(TermId, RBig)>> {
        let values = self.tableau.values(&[]);
        let integral =
            |((_, _, integer), (_, value)): (&(TermId, Column, bool), &(TermId, RBig))| !integer || value.is_int();
        self.tableau.symbols.iter().zip(&values).all(integral).then_some(values)
    }
}
