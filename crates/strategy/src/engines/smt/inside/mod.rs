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
    fn check(&mut self, trail: &mut Trail, acts: &mut TheoryArg);

    /// How much was taken in so far, to come back to.
    fn mark(&self) -> usize;

    /// Comes back to a mark.
    fn take_back(&mut self, mark: usize);

    /// Values under which all literals of the last assignment hold that the theory knows; nothing where integers would get values
    /// that are none.
    fn values(&self) -> Option<Vec<(TermId, RBig)>>;
}

/// What to go back to when a level is taken back: how much of the trail was looked at, and the theory's mark.
#[derive(Clone, Copy, Debug)]
struct LevelMark {
    head: usize,
    mark: usize,
}

/// What every theory keeps of the solver's trail.
pub(super) struct Trail {
    /// How much of it was looked at.
    head: usize,
    levels: Vec<LevelMark>,
    implied: ImpliedLiterals,
    conflicts: ConflictLog,
    budget: Budget,
    stopped: bool,
}

impl Trail {
    /// The next literal that was not looked at.
    fn next(&mut self, acts: &TheoryArg) -> Option<Lit> {
        let literal = acts.model().get(self.head).copied()?;
        self.head += 1;
        Some(literal)
    }

    /// Looks at the budget; whether it is spent.
    fn heed(&mut self) -> bool {
        self.stopped = self.stopped || self.budget.check().is_err();
        self.stopped
    }
}

/// The theory of arithmetic, as the SAT solver asks it.
pub(super) struct InsideTheory {
    theory: Box<dyn TrailTheory>,
    trail: Trail,
}

impl InsideTheory {
    /// At the beginning of the trail.
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

    /// Whether the budget was spent: literals may be unchecked since then, so that an assignment means nothing.
    pub(super) fn is_stopped(&self) -> bool {
        self.trail.stopped
    }

    /// As [`TrailTheory::values`].
    pub(super) fn values(&self) -> Option<Vec<(TermId, RBig)>> {
        self.theory.values()
    }

    /// The short conflicts since the last time: literals that cannot hold together.
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

/// Tells the SAT solver of conflicts, and keeps short ones for others.
#[derive(Debug, Default)]
struct ConflictLog {
    /// Whether there are others.
    is_wanted: bool,
    short: Vec<Vec<Lit>>,
}

impl ConflictLog {
    /// The most conflicts that are kept until they are taken.
    const MOST: usize = 2000;

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
