//! Limits a reduction that runs in parallel with other work to its share of time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The sleep between two looks at the budget.
const TICK: Duration = Duration::from_millis(20);

/// Limits the share of time spent working, over any number of consecutive reductions.
///
/// The time of a single-threaded reduction is measured between rests by the wall clock: at least the CPU time that it and the solver it
/// waits for use.
#[derive(Debug)]
pub struct CpuBudget {
    share: f64,
    credit: Duration,
    begun: Instant,
    state: Mutex<BudgetState>,
}

#[derive(Debug)]
struct BudgetState {
    spent: Duration,
    working_since: Option<Instant>,
    /// Whether the backlog justifies more work than was earned.
    is_behind: bool,
    /// The total duration, once it has ended; nothing more is earned afterwards.
    ended: Option<Duration>,
}

impl CpuBudget {
    /// Makes a budget from a share of the wall-clock time and an initial credit.
    pub fn new(share: f64, credit: Duration) -> CpuBudget {
        let state = BudgetState { spent: Duration::ZERO, working_since: None, is_behind: false, ended: None };
        CpuBudget { share, credit, begun: Instant::now(), state: Mutex::new(state) }
    }

    /// Ends earning; the earned time may still be used.
    pub fn end(&self) {
        let elapsed = self.begun.elapsed();
        self.lock().ended.get_or_insert(elapsed);
    }

    /// Sets whether work continues without rests.
    pub fn hurry(&self, is_behind: bool) {
        self.lock().is_behind = is_behind;
    }

    /// Pauses the clock: no work is in progress.
    pub fn pause(&self) {
        let mut state = self.lock();
        if let Some(since) = state.working_since.take() {
            state.spent += since.elapsed();
        }
    }

    /// Rests until work may continue, and starts the clock. Returns false if it never may, or `is_over` returns true.
    pub fn rest(&self, is_over: impl Fn() -> bool) -> bool {
        self.pause();
        while !is_over() {
            let mut state = self.lock();
            if state.spent < self.earned(&state) || state.is_behind && state.ended.is_none() {
                state.working_since = Some(Instant::now());
                return true;
            }
            if state.ended.is_some() {
                return false;
            }
            drop(state);
            std::thread::sleep(TICK);
        }
        false
    }

    /// Whether there is earned time left.
    pub fn is_able(&self) -> bool {
        let spent = self.spent();
        spent < self.earned(&self.lock())
    }

    fn earned(&self, state: &BudgetState) -> Duration {
        state.ended.unwrap_or_else(|| self.begun.elapsed()).mul_f64(self.share) + self.credit
    }

    /// Returns the time worked so far.
    pub fn spent(&self) -> Duration {
        let state = self.lock();
        state.spent + state.working_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, BudgetState> {
        // Every change is atomic, so a panic elsewhere does no harm.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
