//! Goals that share formulas, asked of one process: what they share is asserted once, the rest between push and pop.

use rewrite::Goal;
use rustc_hash::FxHashSet;
use smtlib::TermId;
use solver::dialogue::Dialogue;
use std::collections::HashMap;
use std::sync::Mutex;
use std::thread::ThreadId;

/// A process that knows the formulas that some goals share.
#[derive(Debug)]
pub struct Talk {
    /// The process.
    pub dialogue: Dialogue,
    /// What is asserted at its base.
    pub base: FxHashSet<TermId>,
}

/// What is remembered of the goals asked of one solver by one thread.
#[derive(Debug, Default)]
struct Memory {
    /// The formulas of the goal last asked.
    last: FxHashSet<TermId>,
    talk: Option<Talk>,
    /// The solver does not talk, or went wrong when it did: it is asked in fresh processes.
    silent: bool,
}

/// The talks of a run. A thread has its own, for terms are numbered differently in the stores of different threads.
#[derive(Debug, Default)]
pub struct Talks(Mutex<HashMap<(ThreadId, String), Memory>>);

/// How a goal is to be asked.
#[derive(Debug)]
pub enum How {
    /// In a fresh process.
    Fresh,
    /// In this process, which knows some of the goal's formulas.
    Known(Talk),
    /// In a new process that stays: these formulas the goal shares with the one before.
    Shared(FxHashSet<TermId>),
}

impl Talks {
    fn key(solver: &str) -> (ThreadId, String) {
        (std::thread::current().id(), solver.to_string())
    }

    /// How to ask a goal of a solver: in a process that stays if it shares at least half of its formulas with the goal asked
    /// before. (One goal alone is better off in a process of its own: incremental solvers simplify less.)
    pub fn how(&self, solver: &str, goal: &Goal) -> How {
        let Ok(mut memories) = self.0.lock() else { return How::Fresh };
        let memory = memories.entry(Talks::key(solver)).or_default();
        let formulas: FxHashSet<TermId> = goal.terms().collect();
        let shared: FxHashSet<TermId> = memory.last.intersection(&formulas).copied().collect();
        memory.last = formulas;
        if memory.silent {
            return How::Fresh;
        }
        if let Some(talk) = memory.talk.take()
            && talk.base.iter().all(|t| memory.last.contains(t))
            && 2 * talk.base.len() >= memory.last.len()
        {
            return How::Known(talk);
        }
        if !shared.is_empty() && 2 * shared.len() >= memory.last.len() { How::Shared(shared) } else { How::Fresh }
    }

    /// Keeps a process for the goals to come.
    pub fn keep(&self, solver: &str, talk: Talk) {
        if let Ok(mut memories) = self.0.lock() {
            memories.entry(Talks::key(solver)).or_default().talk = Some(talk);
        }
    }

    /// The solver does not talk.
    pub fn give_up(&self, solver: &str) {
        if let Ok(mut memories) = self.0.lock() {
            memories.entry(Talks::key(solver)).or_default().silent = true;
        }
    }
}
