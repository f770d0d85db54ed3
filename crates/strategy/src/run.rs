//! What a strategy has at hand while it runs: its budget, the solvers of this machine, and the trace it writes.

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
    /// What was concluded from what, where that is recorded.
    pub claims: Option<ProofRecorder>,
}

impl TacticRun {
    /// The run of a whole strategy.
    pub fn new(budget: Budget, shared: Arc<Shared>, trace: Trace) -> TacticRun {
        TacticRun { budget, shared, trace, facts: None, claims: None }
    }

    /// Takes note of what a tactic made of a goal, if the run is recorded.
    pub fn record(&mut self, store: &mut Store, by: &str, mut outcome: TacticOutcome, log: &ClaimLog) -> TacticOutcome {
        if let Some(claims) = &mut self.claims {
            claims.record(store, by, &mut outcome, log);
        }
        outcome
    }

    /// Keeps the model of an over-approximation for searches to begin at.
    pub fn remember(&self, failure: &TacticFailure) {
        if let TacticFailure::LostSat(Some(model)) = failure {
            self.budget.starts.add((**model).clone());
        }
    }
}

/// What came of asking one program, all the times that it was asked.
#[derive(Clone, Debug)]
pub struct AskedProgram {
    /// Its name with its version.
    pub label: Arc<str>,
    /// How often it was asked.
    pub times: u32,
    /// How long it worked, in all.
    pub time: Duration,
    /// Why it gave up when it was asked last; `None` where it answered.
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
            // Its own message names it, too.
            Some(why) => {
                write!(f, " ({last}{})", why.strip_prefix(&*self.label).map_or(why.as_str(), |rest| rest.trim_start()))
            }
            None => write!(f, " ({last}it answers)"),
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
    /// The programs that were asked, in the order in which they ended.
    asked: Mutex<Vec<AskedProgram>>,
    /// Threads of cancelled branches, on their way out.
    cancelled: Mutex<Vec<JoinHandle<()>>>,
}

impl Shared {
    /// The state of a run on an input.
    pub fn new(solvers: Arc<Solvers>, declarations: Vec<Command>, logic: Option<Symbol>) -> Shared {
        Shared { solvers, declarations, logic, ..Shared::default() }
    }

    /// Takes note of what came of asking a program.
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

    /// The programs that were asked so far.
    pub fn asked(&self) -> Vec<AskedProgram> {
        self.asked.lock().map(|asked| asked.clone()).unwrap_or_default()
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
