//! The context of a running strategy: its budget, the solvers of this machine, and the trace.

use crate::budget::Budget;
use crate::claim_log::ClaimLog;
use crate::claims::ProofRecorder;
use crate::outcome::{TacticFailure, TacticOutcome};
use crate::shared_facts::SharedFacts;
use crate::solvers::Solvers;
use crate::trace::Trace;
use smtlib::{Command, Store, Symbol};
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// The context of a strategy on one goal, in one thread.
#[derive(Debug)]
pub struct TacticRun {
    /// The budget.
    pub budget: Budget,
    /// The data shared by threads.
    pub shared: Arc<Shared>,
    /// The trace.
    pub trace: Trace,
    /// The facts exchanged between branches of the goal with which they began, in one of several branches.
    pub facts: Option<SharedFacts>,
    /// The claims, if the run is recorded.
    pub claims: Option<ProofRecorder>,
}

impl TacticRun {
    /// Makes the context of a whole strategy.
    pub fn new(budget: Budget, shared: Arc<Shared>, trace: Trace) -> TacticRun {
        TacticRun { budget, shared, trace, facts: None, claims: None }
    }

    /// Records the result of a tactic on a goal, if the run is recorded.
    pub fn record(&mut self, store: &mut Store, by: &str, mut outcome: TacticOutcome, log: &ClaimLog) -> TacticOutcome {
        if let Some(claims) = &mut self.claims {
            claims.record(store, by, &mut outcome, log);
        }
        outcome
    }

    /// Keeps the model of an over-approximation as a starting point for searches.
    pub fn remember(&self, failure: &TacticFailure) {
        if let TacticFailure::LostSat(Some(model)) = failure {
            self.budget.starts.add((**model).clone());
        }
    }
}

/// The results of all questions to one program.
#[derive(Clone, Debug)]
pub struct AskedProgram {
    /// Its name with its version.
    pub label: Arc<str>,
    /// The number of questions.
    pub times: u32,
    /// The total time.
    pub time: Duration,
    /// Why the program gave up on the last question; `None` if it answered.
    pub gave_up: Option<String>,
}

impl fmt::Display for AskedProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)?;
        if self.times > 1 {
            write!(f, " {} times", self.times)?;
        }
        write!(f, " for {:.1} s", self.time.as_secs_f64())?;
        let last = if self.times > 1 { "last: " } else { "" };
        match &self.gave_up {
            // Its own message contains it as well.
            Some(why) => {
                write!(f, " ({last}{})", why.strip_prefix(&*self.label).map_or(why.as_str(), |rest| rest.trim_start()))
            }
            None => write!(f, " ({last}it answers)"),
        }
    }
}

/// The data shared by the threads of a run.
#[derive(Debug, Default)]
pub struct Shared {
    /// Other programs.
    pub solvers: Arc<Solvers>,
    /// The declarations of the input, in order.
    pub declarations: Vec<Command>,
    /// The logic of the input, if it names one.
    pub logic: Option<Symbol>,
    /// The number of goals so far at which branches began.
    pub forks: AtomicU64,
    /// The programs asked, in the order in which they ended.
    asked: Mutex<Vec<AskedProgram>>,
    /// Threads of cancelled branches that are still ending.
    cancelled: Mutex<Vec<JoinHandle<()>>>,
}

impl Shared {
    /// Makes the state of a run on an input.
    pub fn new(solvers: Arc<Solvers>, declarations: Vec<Command>, logic: Option<Symbol>) -> Shared {
        Shared { solvers, declarations, logic, ..Shared::default() }
    }

    /// Records the result of a question to a program.
    pub fn note_asked(&self, label: &Arc<str>, time: Duration, gave_up: Option<String>) {
        let Ok(mut asked) = self.asked.lock() else { return };
        match asked.iter_mut().find(|program| program.label == *label) {
            Some(program) => {
                *program = AskedProgram {
                    label: Arc::clone(label),
                    times: program.times + 1,
                    time: program.time + time,
                    gave_up,
                }
            }
            None => asked.push(AskedProgram { label: Arc::clone(label), times: 1, time, gave_up }),
        }
    }

    /// Returns the programs asked so far.
    pub fn asked(&self) -> Vec<AskedProgram> {
        self.asked.lock().map(|asked| asked.clone()).unwrap_or_default()
    }

    /// Takes over threads that were told to stop.
    pub fn leave_behind(&self, threads: impl IntoIterator<Item = JoinHandle<()>>) {
        if let Ok(mut cancelled) = self.cancelled.lock() {
            // Threads that have ended need not be remembered.
            cancelled.retain(|thread| !thread.is_finished());
            cancelled.extend(threads);
        }
    }

    /// Waits until all cancelled threads and their processes have ended: at most 100 ms, unless the machine is overloaded. Must be called
    /// before the program ends.
    pub fn wait_for_cancelled(&self) {
        loop {
            let cancelled = self.cancelled.lock().map(|mut l| std::mem::take(&mut *l)).unwrap_or_default();
            if cancelled.is_empty() {
                return;
            }
            for thread in cancelled {
                // A branch that panicked is over, too. One that ran others leaves those behind in turn.
                let _ = thread.join();
            }
        }
    }
}
