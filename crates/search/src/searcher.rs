//! The context of all strategies: the program, a clock, random numbers and statistics.

use crate::analysis::Analysis;
use crate::interpreter::{InputScore, Interpreter};
use crate::ir::{IrNode, OpCode, Program};
use crate::machine::ProgramRunner;
use crate::rng::Random;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The intended time between two checks of the clock. The run times of programs differ by five orders of magnitude.
const LOOK_AFTER: Duration = Duration::from_millis(1);

/// The maximum number of executions between two checks, and of operations: an execution may stop at the first constraint, and the next
/// run through all of them.
const MAX_EXECUTIONS: u64 = 4096;
const MAX_OPERATIONS: u64 = 2_000_000;

/// The number of operations for which an exact one counts, per word of its value.
const EXACT: u64 = 200;

/// Returns the maximum number of executions between two checks of the clock for a program.
fn most(program: &Program) -> u32 {
    let cost = |node: &IrNode| if node.code == OpCode::Exact { EXACT * node.ty.words() as u64 } else { 1 };
    let whole: u64 = program.nodes.iter().map(cost).sum();
    (MAX_OPERATIONS / whole.max(1)).clamp(1, MAX_EXECUTIONS) as u32
}

/// The end conditions of a search.
#[derive(Clone, Copy)]
pub struct RunLimits<'c> {
    /// At this time.
    pub deadline: Option<Instant>,
    /// After this number of executions.
    pub executions: Option<u64>,
    /// When any of these is set.
    pub cancel: [Option<&'c AtomicBool>; 2],
}

/// A new best input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Improvement {
    /// The time since the start of the search.
    pub at: Duration,
    /// The number of executions by then.
    pub executions: u64,
    /// Its score.
    pub score: InputScore,
}

/// The maximum number of recorded improvements.
const MAX_CURVE: usize = 1_000;

/// A running search.
pub struct Searcher<'c> {
    machine: ProgramRunner,
    /// The analysis of the program.
    pub analysis: Analysis,
    /// Random numbers.
    pub random: Random,
    /// Initial inputs; more may be added.
    pub starts: Vec<Vec<u8>>,
    limits: RunLimits<'c>,
    start: Instant,
    until_clock: u32,
    /// The number of executions between checks of the clock, and the time of the last check.
    interval: u32,
    /// Its maximum.
    most: u32,
    last_look: Instant,
    over: bool,
    executions: u64,
    best: Option<InputScore>,
    curve: Vec<Improvement>,
}

impl<'c> Searcher<'c> {
    /// Starts a search.
    pub fn new(machine: ProgramRunner, seed: u64, limits: RunLimits<'c>, start: Instant) -> Searcher<'c> {
        let most = most(machine.program());
        Searcher {
            analysis: Analysis::new(machine.program().clone()),
            machine,
            random: Random::from_seed(seed),
            limits,
            starts: Vec::new(),
            start,
            until_clock: 1,
            interval: 1,
            most,
            last_look: Instant::now(),
            over: false,
            executions: 0,
            best: None,
            curve: Vec::new(),
        }
    }

    /// Returns the program.
    pub fn program(&self) -> &Arc<Program> {
        self.machine.program()
    }

    /// Returns the machine that runs it.
    pub fn machine(&mut self) -> &mut ProgramRunner {
        &mut self.machine
    }

    /// Returns the interpreter, for examining values.
    pub fn interpreter(&mut self) -> &mut Interpreter {
        self.machine.interpreter()
    }

    /// Returns the number of inputs run.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// Returns the best score so far.
    pub fn best(&self) -> Option<InputScore> {
        self.best
    }

    /// Returns the improvements so far.
    pub fn curve(&self) -> &[Improvement] {
        &self.curve
    }

    /// Whether the search must end.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Runs an input to its first false constraint.
    #[inline]
    pub fn fail_fast(&mut self, input: &[u8]) -> InputScore {
        self.count();
        let score = self.machine.fail_fast(input);
        if self.best.is_none_or(|best| score.beats(best)) {
            self.improve(score);
        }
        score
    }

    /// Runs all constraints on an input; see [`Interpreter::try_all`].
    #[inline]
    pub fn try_all(&mut self, input: &[u8], distances: &mut [u64]) -> u32 {
        self.count();
        self.machine.try_all(input, distances)
    }

    #[inline]
    fn count(&mut self) {
        self.executions += 1;
        self.until_clock -= 1;
        if self.until_clock == 0 {
            self.look_at_the_clock();
        }
    }

    #[cold]
    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.last_look);
        self.interval = match passed {
            p if p > LOOK_AFTER => (self.interval / 2).max(1),
            p if p < LOOK_AFTER / 2 => (self.interval * 2).min(self.most),
            _ => self.interval,
        };
        self.last_look = now;
        // A limit on executions is met exactly, whatever the clock says: such a run is reproducible.
        let left = self.limits.executions.map_or(u64::MAX, |n| n.saturating_sub(self.executions));
        self.until_clock = u64::from(self.interval).min(left).max(1) as u32;
        let cancelled = self.limits.cancel.iter().flatten().any(|c| c.load(Ordering::Relaxed));
        let late = self.limits.deadline.is_some_and(|d| now >= d);
        self.over |= cancelled || late || left == 0;
    }

    #[cold]
    fn improve(&mut self, score: InputScore) {
        self.best = Some(score);
        if self.curve.len() < MAX_CURVE {
            self.curve.push(Improvement { at: self.start.elapsed(), executions: self.executions, score });
        }
    }
}

/// A search strategy.
pub trait SearchStrategy {
    /// Returns its name.
    fn name(&self) -> &'static str;

    /// Runs about `executions` executions. An input that passes every constraint ends the run at once.
    fn run(&mut self, searcher: &mut Searcher<'_>, executions: u64) -> Option<Vec<u8>>;

    /// Called when the input found was not a model (the standard leaves some value open): search elsewhere.
    fn rejected(&mut self);
}
