//! What a strategy has at hand while it runs: its budget, the solvers of this machine, and the trace it writes.

use crate::budget::Budget;
use crate::outcome::TacticFailure;
use crate::shared_facts::SharedFacts;
use crate::solvers::Solvers;
use crate::trace::Trace;
use smtlib::{Command, Symbol};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// What a strategy has at hand while it runs on one goal, in one thread.
#[derive(Debug)]
pub struct TacticRun {
    /// What it may spend.
    pub budget: Budget,
    /// What threads share.
    pub shared: Arc<Shared>,
    /// What it did.
    pub trace: Trace,
    /// What branches tell each other of the goal that they began with, in a branch of several.
    pub facts: Option<SharedFacts>,
}

impl TacticRun {
    /// The run of a whole strategy.
    pub fn new(budget: Budget, shared: Arc<Shared>, trace: Trace) -> TacticRun {
        TacticRun { budget, shared, trace, facts: None }
    }

    /// Keeps the model of an over-approximation for searches to begin at.
    pub fn remember(&self, failure: &TacticFailure) {
        if let TacticFailure::LostSat(Some(model)) = failure {
            self.budget.starts.add((**model).clone());
        }
    }
}

/// What the threads of a run share.
#[derive(Debug, Default)]
pub struct Shared {
    /// Other programs.
    pub solvers: Arc<Solvers>,
    /// The declarations of the input, in order.
    pub declarations: Vec<Command>,
    /// The logic of the input, if it names one.
    pub logic: Option<Symbol>,
    /// How many goals there were so far at which branches began.
    pub forks: AtomicU64,
    /// Threads of cancelled branches, on their way out.
    cancelled: Mutex<Vec<JoinHandle<()>>>,
}

impl Shared {
    /// The state of a run on an input.
    pub fn new(solvers: Arc<Solvers>, declarations: Vec<Command>, logic: Option<Symbol>) -> Shared {
        Shared { solvers, declarations, logic, ..Shared::default() }
    }

    /// Hands over threads that have been told to stop.
    pub fn leave_behind(&self, threads: impl IntoIterator<Item = JoinHandle<()>>) {
        if let Ok(mut cancelled) = self.cancelled.lock() {
            // Those that are gone already need not be remembered.
            cancelled.retain(|thread| !thread.is_finished());
            cancelled.extend(threads);
        }
    }

    /// Waits until all that were told to stop have stopped, and their processes with them: 100 ms at most, unless the
    /// machine is overloaded. To be called before the program ends.
    pub fn wait_for_cancelled(&self) {
        loop {
            let cancelled = self.cancelled.lock().map(|mut l| std::mem::take(&mut *l)).unwrap_or_default();
            if cancelled.is_empty() {
                return;
            }
            for thread in cancelled {
                // A branch that panicked is over all the same. One that ran others leaves those behind in its turn.
                let _ = thread.join();
            }
        }
    }
}
