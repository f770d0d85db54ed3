//! A reduction beside other work keeps to its share of the time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a rest sleeps before it looks again.
const TICK: Duration = Duration::from_millis(20);

/// A bound on how much of the time is worked, kept over any number of reductions, one after the other.
///
/// The time of a reduction on one thread is counted from rest to rest by the wall clock: never less than the CPU time that it
/// and the solver it waits for use.
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
    /// Whether so much waits that it is worked beyond what was earned.
    is_behind: bool,
    /// How long everything took, once it is over; no more is earned from then on.
    ended: Option<Duration>,
}

impl CpuBudget {
    /// A share of the wall-clock time, and what may be worked before anything was earned.
    pub fn new(share: f64, credit: Duration) -> CpuBudget {
        let state = BudgetState { spent: Duration::ZERO, working_since: None, is_behind: false, ended: None };
        CpuBudget { share, credit, begun: Instant::now(), state: Mutex::new(state) }
    }

    /// From now on nothing more is earned; what was earned may still be worked.
    pub fn end(&self) {
        let elapsed = self.begun.elapsed();
        self.lock().ended.get_or_insert(elapsed);
    }

    /// From now on work goes on without a rest, or only within what is earned again.
    pub fn hurry(&self, is_behind: bool) {
        self.lock().is_behind = is_behind;
    }

    /// Stops counting: no one works.
    pub fn pause(&self) {
        let mut state = self.lock();
        if let Some(since) = state.working_since.take() {
            state.spent += since.elapsed();
        }
    }

    /// Rests until work may go on, and counts from then on. False if it never may, or `is_over` says so.
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

    /// Whether what was earned so far leaves time to work.
    pub fn is_able(&self) -> bool {
        let spent = self.spent();
        spent < self.earned(&self.lock())
    }

    fn earned(&self, state: &BudgetState) -> Duration {
        state.ended.unwrap_or_else(|| self.begun.elapsed()).mul_f64(self.share) + self.credit
    }

    /// The time worked so far.
    pub fn spent(&self) -> Duration {
        let state = self.lock();
        state.spent + state.working_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, BudgetState> {
        // Every change leaves the state whole, so that a panic elsewhere does no harm.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
