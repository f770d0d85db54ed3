//! Arithmetic inside the SAT solver's search: every literal of an atom is a constraint, checked while the assignment grows.

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

/// Arithmetic atoms in the form that their theory needs.
pub enum ArithmeticAtoms {
    /// All are differences: each is at the index of its constraint.
    Differences(ScaledDifferences, Vec<TermId>),
    /// Each atom is a bound on a column, and its negation is another one.
    Linear(Box<Tableau>, Vec<(TermId, [ColumnBound; 2])>),
}

/// The literal of an atom.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtomLiteral {
    /// The literal of the atom itself.
    pub(super) literal: Lit,
    /// Whether some assertion may need the atom to be true, and whether one may need it to be false. Unneeded literals are not constraints.
    pub(super) needed: [bool; 2],
}

impl AtomLiteral {
    /// Returns the atom's literal and its negation, each with whether it is needed.
    fn both(self) -> [(Lit, bool); 2] {
        [(self.literal, self.needed[0]), (!self.literal, self.needed[1])]
    }
}

/// A theory of arithmetic for the search: it follows the solver's trail, level by level.
pub(super) trait TrailTheory {
    /// Processes the new part of the trail; reports a conflict, or consequences.
    fn check(&mut self, trail: &mut Trail, acts: &mut TheoryArg);

    /// Returns the current position, to be restored later.
    fn mark(&self) -> usize;

    /// Returns to a mark.
    fn take_back(&mut self, mark: usize);

    /// Returns values for which all known literals of the last assignment hold; `None` if integers would get other values.
    fn values(&self) -> Option<Vec<(TermId, RBig)>>;
}

/// The state to restore when a level is removed: the processed length of the trail, and the theory's mark.
#[derive(Clone, Copy, Debug)]
struct LevelMark {
    head: usize,
    mark: usize,
}

/// The common view of every theory on the solver's trail.
pub(super) struct Trail {
    /// The processed length.
    head: usize,
    levels: Vec<LevelMark>,
    implied: ImpliedLiterals,
    conflicts: ConflictLog,
    budget: Budget,
    stopped: bool,
}

impl Trail {
    /// Returns the next unprocessed literal.
    fn next(&mut self, acts: &TheoryArg) -> Option<Lit> {
        let literal = acts.model().get(self.head).copied()?;
        self.head += 1;
        Some(literal)
    }

    /// Checks the budget; returns whether it is spent.
    fn heed(&mut self) -> bool {
        self.stopped = self.stopped || self.budget.check().is_err();
        self.stopped
    }
}

/// The theory of arithmetic for the SAT solver.
pub(super) struct InsideTheory {
    theory: Box<dyn TrailTheory>,
    trail: Trail,
}

impl InsideTheory {
    /// Starts at the beginning of the trail.
    pub(super) fn new(theory: Box<dyn TrailTheory>, budget: &Budget) -> InsideTheory {
        let trail = Trail {
            head: 0,
            levels: Vec::new(),
            implied: ImpliedLiterals::default(),
            conflicts: ConflictLog { is_wanted: budget.lemmas.is_some(), short: Vec::new() },
            budget: budget.clone(),
            stopped: false,
        };
        InsideTheory { theory, trail }
    }

    /// Whether the budget was spent: literals may be unchecked since then, so an assignment means nothing.
    pub(super) fn is_stopped(&self) -> bool {
        self.trail.stopped
    }

    /// Same as [`TrailTheory::values`].
    pub(super) fn values(&self) -> Option<Vec<(TermId, RBig)>> {
        self.theory.values()
    }

    /// Returns the short conflicts since the last call: literals that cannot hold together.
    pub(super) fn take_conflicts(&mut self) -> Vec<Vec<Lit>> {
        std::mem::take(&mut self.trail.conflicts.short)
    }
}

impl Theory for InsideTheory {
    fn final_check(&mut self, acts: &mut TheoryArg) {
        self.theory.check(&mut self.trail, acts);
    }

    fn partial_check(&mut self, acts: &mut TheoryArg) {
        self.theory.check(&mut self.trail, acts);
    }

    fn create_level(&mut self) {
        self.trail.implied.create_level();
        self.trail.levels.push(LevelMark { head: self.trail.head, mark: self.theory.mark() });
    }

    fn pop_levels(&mut self, n: usize) {
        let levels = &mut self.trail.levels;
        let Some(&LevelMark { head, mark }) = levels.len().checked_sub(n).and_then(|level| levels.get(level)) else {
            return;
        };
        levels.truncate(levels.len() - n);
        self.trail.head = head;
        self.trail.implied.pop_levels(n);
        self.theory.take_back(mark);
    }

    fn n_levels(&self) -> usize {
        self.trail.levels.len()
    }

    fn explain_propagation(&mut self, literal: Lit) -> &[Lit] {
        self.trail.implied.explanation(literal)
    }
}

/// Reports conflicts to the SAT solver, and keeps short ones for others.
#[derive(Debug, Default)]
struct ConflictLog {
    /// Whether there are others.
    is_wanted: bool,
    short: Vec<Vec<Lit>>,
}

impl ConflictLog {
    /// The maximum number of kept conflicts.
    const MOST: usize = 2000;

    /// Reports that these literals cannot hold together.
    fn raise(&mut self, acts: &mut TheoryArg, labels: &[u32]) {
        let clause: Vec<Lit> = labels.iter().map(|&label| !literal_of(label)).collect();
        acts.raise_conflict(&clause, false);
        if self.is_wanted && labels.len() <= LONGEST && self.short.len() < ConflictLog::MOST {
            self.short.push(labels.iter().map(|&label| literal_of(label)).collect());
        }
    }
}

/// Returns the literal with an index.
fn literal_of(index: u32) -> Lit {
    Lit::new(batsat::Var::unsafe_from_idx(index >> 1), index & 1 == 0)
}
