//! Hill climbing on the distance: changes the inputs of the failing constraint, and keeps changes that are not worse.

use super::inverse;
use super::moves::{self, SlotStep};
use crate::interpreter::InputScore;
use crate::searcher::SearchStrategy;
use crate::searcher::Searcher;
use std::sync::Arc;

/// The minimized quantity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// The number of constraints passed in order, then the distance of the next.
    NextConstraint,
    /// The sum over all constraints of the logarithms of their distances.
    AllConstraints,
}

/// The settings of a climber.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClimbStyle {
    /// Its name.
    pub name: &'static str,
    /// The minimized quantity.
    pub objective: Objective,
    /// One in this number of moves solves a failing constraint backwards; 0 for none.
    pub invert_one_in: u64,
    /// One in this number of moves is kept although it is worse; 0 for none.
    pub worse_one_in: u64,
}

/// The plain climber.
pub const DISTANCE: ClimbStyle =
    ClimbStyle { name: "distance", objective: Objective::NextConstraint, invert_one_in: 0, worse_one_in: 0 };
/// The climber that solves constraints backwards.
pub const INVERT: ClimbStyle =
    ClimbStyle { name: "invert", objective: Objective::NextConstraint, invert_one_in: 3, worse_one_in: 0 };
/// The climber that may sacrifice a constraint to satisfy others.
pub const SUM: ClimbStyle =
    ClimbStyle { name: "sum", objective: Objective::AllConstraints, invert_one_in: 3, worse_one_in: 0 };

/// The number of moves without improvement, per slot, after which a climber restarts.
const PATIENCE_PER_SLOT: u64 = 400;
/// The minimum patience.
const LEAST_PATIENCE: u64 = 4_000;
/// The maximum patience.
const MOST_PATIENCE: u64 = 100_000;

/// The objective of an input; smaller is better.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct Worth(f64, f64);

/// A climber.
pub struct Climb {
    style: ClimbStyle,
    current: Option<Position>,
    /// The number of starts.
    starts: u64,
    /// The number of external inputs examined.
    given: usize,
    /// Distances of all constraints in the last run, for the sum.
    distances: Vec<u64>,
    pending: Option<SlotStep>,
    /// The best position since the last start from scratch.
    best: Option<(Worth, Vec<u8>)>,
}

struct Position {
    input: Vec<u8>,
    worth: Worth,
    /// The constraint to work on.
    failing: usize,
    stale: u64,
}

impl Climb {
    /// Makes a climber of a style.
    pub fn new(style: ClimbStyle) -> Climb {
        Climb { style, current: None, starts: 0, given: 0, distances: Vec::new(), pending: None, best: None }
    }

    /// Runs an input: returns its objective, a failing constraint, and whether none fails.
    fn rate(&mut self, searcher: &mut Searcher<'_>, input: &[u8]) -> (Worth, usize, bool) {
        if self.style.objective == Objective::NextConstraint {
            let InputScore { passed, distance } = searcher.fail_fast(input);
            return (Worth(-f64::from(passed), distance as f64), passed as usize, distance == 0);
        }
        self.distances.resize(searcher.program().constraints.len(), 0);
        let passed = searcher.try_all(input, &mut self.distances);
        let done = passed as usize == self.distances.len();
        let mut sum = 0.0;
        let (mut failing, mut failures) = (0, 0);
        for (number, &distance) in self.distances.iter().enumerate() {
            if distance > 0 {
                sum += (distance as f64 + 1.0).log2() + 4.0;
                failures += 1;
                // One of the failing constraints, uniformly.
                if searcher.random.one_in(failures) {
                    failing = number;
                }
            }
        }
        (Worth(sum, 0.0), failing, done)
    }

    /// Starts at the best of some external inputs that arrived since the last start, if there are any; one may even pass.
    fn begin_at_given(&mut self, searcher: &mut Searcher<'_>) -> Option<Option<Vec<u8>>> {
        let new = searcher.starts.get(self.given..).unwrap_or_default().to_vec();
        self.given += new.len();
        let mut best: Option<Position> = None;
        for input in new {
            let (worth, failing, done) = self.rate(searcher, &input);
            if done {
                return Some(Some(input));
            }
            if best.as_ref().is_none_or(|best| worth < best.worth) {
                best = Some(Position { input, worth, failing, stale: 0 });
            }
        }
        self.current = Some(best?);
        self.pending = None;
        Some(None)
    }

    fn start(&mut self, searcher: &mut Searcher<'_>) -> Option<Vec<u8>> {
        let program = searcher.program().clone();
        let layout = &program.layout;
        let mut input = layout.zeros();
        if let Some(found) = self.begin_at_given(searcher) {
            return found;
        }
        let again = self.best.as_ref().filter(|_| !self.starts.is_multiple_of(4));
        if let Some((_, best)) = again {
            input.copy_from_slice(best);
            // Away from the best position by a few redrawn slots.
            let changes = 1 + searcher.random.below(3 + self.starts % 8);
            for _ in 0..changes {
                let slot = searcher.random.index(layout.slots().len());
                moves::draw(&mut input, layout, slot, &mut searcher.random, &mut searcher.analysis);
            }
        } else {
            self.best = None;
            // The first own start is all zeros, the smallest input.
            if self.starts > 0 {
                for slot in 0..layout.slots().len() {
                    moves::draw(&mut input, layout, slot, &mut searcher.random, &mut searcher.analysis);
                }
            }
        }
        self.starts += 1;
        self.pending = None;
        let (worth, failing, done) = self.rate(searcher, &input);
        let found = done.then(|| input.clone());
        self.current = Some(Position { input, worth, failing, stale: 0 });
        found
    }
}

impl SearchStrategy for Climb {
    fn name(&self) -> &'static str {
        self.style.name
    }

    fn run(&mut self, searcher: &mut Searcher<'_>, executions: u64) -> Option<Vec<u8>> {
        let end = searcher.executions().saturating_add(executions);
        let program = searcher.program().clone();
        let layout = &program.layout;
        let patience = (layout.slots().len() as u64 * PATIENCE_PER_SLOT).clamp(LEAST_PATIENCE, MOST_PATIENCE);
        let mut trial = layout.zeros();
        while searcher.executions() < end && !searcher.is_over() {
            if self.current.as_ref().is_none_or(|c| c.stale > patience) {
                if let Some(found) = self.start(searcher) {
                    return Some(found);
                }
                continue;
            }
            let Some(mut here) = self.current.take() else { continue };
            trial.copy_from_slice(&here.input);
            let (step, changed) = self.change(searcher, &mut trial, &here);
            if !changed {
                here.stale += 1;
                self.current = Some(here);
                continue;
            }
            let (worth, failing, done) = self.rate(searcher, &trial);
            if done {
                self.current = Some(here);
                return Some(trial);
            }
            let better = worth < here.worth;
            if better && self.best.as_ref().is_none_or(|best| worth < best.0) {
                self.best = Some((worth, trial.clone()));
            }
            let kept = better
                || worth == here.worth
                || self.style.worse_one_in > 0 && searcher.random.one_in(self.style.worse_one_in);
            here.stale = if better { 0 } else { here.stale + 1 };
            if kept {
                std::mem::swap(&mut here.input, &mut trial);
                here.worth = worth;
                here.failing = failing;
            }
            // A successful step is repeated, twice as far.
            self.pending = step.filter(|_| better).map(|s| SlotStep { by: s.by.saturating_mul(2), ..s });
            self.current = Some(here);
        }
        None
    }

    fn rejected(&mut self) {
        self.current = None;
        self.best = None;
    }
}

impl Climb {
    /// Changes the input. Returns the step, if it was one, and whether anything was changed.
    fn change(&mut self, searcher: &mut Searcher<'_>, input: &mut [u8], here: &Position) -> (Option<SlotStep>, bool) {
        let program = searcher.program().clone();
        let layout = &program.layout;
        if let Some(step) = self.pending.take() {
            moves::take(input, layout, step, 0);
            return (Some(step), true);
        }
        if self.style.invert_one_in > 0 && searcher.random.one_in(self.style.invert_one_in) {
            return (None, inverse::solve(searcher, input, here.failing));
        }
        let slots: Arc<[u32]> = searcher.analysis.slots(here.failing);
        let Searcher { random, analysis, .. } = searcher;
        let Some(&slot) = random.pick(&slots) else { return (None, false) };
        let step = moves::mutate(input, layout, slot as usize, random, analysis);
        let mut more = random.below(8);
        if more >= 6 {
            // Sometimes several at once.
            while more >= 4 {
                if let Some(&slot) = random.pick(&slots) {
                    moves::mutate(input, layout, slot as usize, random, analysis);
                }
                more = random.below(8);
            }
            return (None, true);
        }
        (step.filter(|s| layout.slots()[s.slot].ty.words() == 1), true)
    }
}
