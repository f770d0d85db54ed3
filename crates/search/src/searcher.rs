//! What every strategy works with: the program under execution, a clock, random numbers and the books.

use crate::analysis::Analysis;
use crate::interpreter::{InputScore, Interpreter};
use crate::ir::{IrNode, OpCode, Program};
use crate::jit::CodeForm;
use crate::machine::ProgramRunner;
use crate::rng::Random;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time there should be between two looks at the clock. Programs differ by five orders of magnitude in how long an
/// execution takes.
const LOOK_AFTER: Duration = Duration::from_millis(1);

/// The most executions between two looks, and the most operations: an execution may stop at the first constraint, and the
/// next go through all of them.
const MAX_EXECUTIONS: u64 = 4096;
const MAX_OPERATIONS: u64 = 2_000_000;

/// As how many operations an exact one counts, for each word of its value.
const EXACT: u64 = 200;

/// The most executions between two looks at the clock for a program.
fn most(program: &Program) -> u32 {
    let cost = |node: &IrNode| if node.code == OpCode::Exact { EXACT * node.ty.words() as u64 } else { 1 };
    let whole: u64 = program.nodes.iter().map(cost).sum();
    (MAX_OPERATIONS / whole.max(1)).clamp(1, MAX_EXECUTIONS) as u32
}

/// When a search has to end.
#[derive(Clone, Copy)]
pub struct RunLimits<'c> {
    /// At this moment.
    pub deadline: Option<Instant>,
    /// After so many executions.
    pub executions: Option<u64>,
    /// When any of these is set.
    pub cancel: [Option<&'c AtomicBool>; 2],
}

/// A moment at which an input better than all before it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Improvement {
    /// Since the search began.
    pub at: Duration,
    /// Executions by then.
    pub executions: u64,
    /// Its score.
    pub score: InputScore,
}

/// The most improvements written down.
const MAX_CURVE: usize = 1_000;

/// A running search.
pub struct Searcher<'c> {
    machine: ProgramRunner,
    /// What is known of the program.
    pub analysis: Analysis,
    /// Random numbers.
    pub random: Random,
    /// Inputs to begin at; more may come.
    pub starts: Vec<Vec<u8>>,
    limits: RunLimits<'c>,
    start: Instant,
    until_clock: u32,
    /// Executions from the last look at the clock to the next, and when the last was.
    interval: u32,
    /// The most there may be.
    most: u32,
    last_look: Instant,
    over: bool,
    executions: u64,
    best: Option<InputScore>,
    curve: Vec<Improvement>,
}

impl<'c> Searcher<'c> {
    /// A search that begins now.
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

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        self.machine.program()
    }

    /// The values of the last run of a form; see [`ProgramRunner::values`].
    pub fn values(&self, form: CodeForm) -> &Interpreter {
        self.machine.values(form)
    }

    /// The machine that runs it.
    pub fn machine(&mut self) -> &mut ProgramRunner {
        &mut self.machine
    }

    /// The interpreter, whose values can be looked at.
    pub fn interpreter(&mut self) -> &mut Interpreter {
        self.machine.interpreter()
    }

    /// How many inputs were run.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// The best score so far.
    pub fn best(&self) -> Option<InputScore> {
        self.best
    }

    /// The improvements so far.
    pub fn curve(&self) -> &[Improvement] {
        &self.curve
    }

    /// Whether the search has to end.
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

    /// Runs all constraints on an input; see [`Interpreter::count`].
    #[inline]
    pub fn count_true(&mut self, input: &[u8]) -> u32 {
        self.count();
        self.machine.count(input)
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
        // A bound on executions is met exactly, whatever the clock says: such a run is the same everywhere.
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
