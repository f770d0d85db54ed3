//! Arithmetic inside of the SAT solver's search: every literal of an atom is a constraint, checked while the assignment grows.

mod differences;
mod implied;
mod linear;

use crate::budget::Budget;
use crate::engines::arithmetic::scaled::ScaledDifferences;
use crate::engines::arithmetic::tableau::{ColumnBound, Tableau};
use crate::shared_lemmas::LONGEST;
use batsat::{Lit, Theory, TheoryArg};
use dashu_ratio::RBig;
use smtlib::TermId;

pub(super) use differences::DifferenceTheory;
use implied::ImpliedLiterals;
pub(super) use linear::LinearTheory;

/// Atoms of arithmetic in the form that their theory needs.
pub enum ArithmeticAtoms {
    /// All are differences: each is at the position of its constraint.
    Differences(ScaledDifferences, Vec<TermId>),
    /// Each is a bound of a column if it holds, and another one if not.
    Linear(Box<Tableau>, Vec<(TermId, [ColumnBound; 2])>),
}

/// The literal of an atom.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtomLiteral {
    /// That of the atom itself.
    pub(super) literal: Lit,
    /// Whether some assertion may need the atom to hold, and whether one may need it not to. What none needs is no constraint.
    pub(super) needed: [bool; 2],
}

impl AtomLiteral {
    /// The atom's literal and its negation, each with whether it is needed.
    fn both(self) -> [(Lit, bool); 2] {
        [(self.literal, self.needed[0]), (!self.literal, self.needed[1])]
    }
}

/// A theory of arithmetic as the search needs it: it follows the solver's trail, level by level.
pub(super) trait TrailTheory {
    /// Takes in what is new on the trail; tells of a conflict, or of what follows.
    fn check(&mut self, acts: &mut TheoryArg);

    /// Begins a level.
    fn create_level(&mut self);

    /// Takes back the last levels.
    fn pop_levels(&mut self, n: usize);

    /// How many levels there are.
    fn levels(&self) -> usize;

    /// The literals that were implied, with their explanations.
    fn implied(&self) -> &ImpliedLiterals;

    /// The conflicts that were found.
    fn conflicts(&mut self) -> &mut ConflictLog;

    /// Whether the budget was spent: literals may be unchecked since then, so that an assignment means nothing.
    fn is_stopped(&self) -> bool;

    /// Values under which all literals of the last assignment hold that the theory knows; nothing where integers would get values
    /// that are none.
    fn values(&self) -> Option<Vec<(TermId, RBig)>>;
}

/// The theory of arithmetic, as the SAT solver asks it.
pub(super) struct InsideTheory(pub(super) Box<dyn TrailTheory>);

impl InsideTheory {
    /// The short conflicts since the last time: literals that cannot hold together.
    pub(super) fn take_conflicts(&mut self) -> Vec<Vec<Lit>> {
        std::mem::take(&mut self.0.conflicts().short)
    }
}

impl Theory for InsideTheory {
    fn final_check(&mut self, acts: &mut TheoryArg) {
        self.0.check(acts);
    }

    fn partial_check(&mut self, acts: &mut TheoryArg) {
        self.0.check(acts);
    }

    fn create_level(&mut self) {
        self.0.create_level();
    }

    fn pop_levels(&mut self, n: usize) {
        self.0.pop_levels(n);
    }

    fn n_levels(&self) -> usize {
        self.0.levels()
    }

    fn explain_propagation(&mut self, literal: Lit) -> &[Lit] {
        self.0.implied().explanation(literal)
    }
}

/// Tells the SAT solver of conflicts, and keeps short ones for others.
#[derive(Debug, Default)]
pub(super) struct ConflictLog {
    /// Whether there are others.
    is_wanted: bool,
    short: Vec<Vec<Lit>>,
}

impl ConflictLog {
    /// The most conflicts that are kept until they are taken.
    const MOST: usize = 2000;

    fn of(budget: &Budget) -> ConflictLog {
        ConflictLog { is_wanted: budget.lemmas.is_some(), short: Vec::new() }
    }

    /// Tells the solver that these literals cannot hold together.
    fn raise(&mut self, acts: &mut TheoryArg, labels: &[u32]) {
        let clause: Vec<Lit> = labels.iter().map(|&label| !literal_of(label)).collect();
        acts.raise_conflict(&clause, false);
        if self.is_wanted && labels.len() <= LONGEST && self.short.len() < ConflictLog::MOST {
            self.short.push(labels.iter().map(|&label| literal_of(label)).collect());
        }
    }
}

/// The literal of an index.
fn literal_of(index: u32) -> Lit {
    Lit::new(batsat::Var::unsafe_from_idx(index >> 1), index & 1 == 0)
}
