//! What a run did: every tactic's time, the sizes before and after, and what came of it.

use rewrite::Goal;
use rewrite::walk::visit;
use smtlib::Store;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The most steps that one trace remembers; later ones are counted only.
pub const MAX_STEPS: usize = 5000;

/// The size of a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GoalSize {
    /// Formulas.
    pub formulas: usize,
    /// Distinct subterms; 0 where it was not asked for.
    pub terms: usize,
}

impl GoalSize {
    /// The size of a goal.
    pub fn of(store: &Store, goal: &Goal) -> GoalSize {
        let mut terms = 0;
        visit(store, goal.terms(), |_| terms += 1);
        GoalSize { formulas: goal.len(), terms }
    }
}

/// One application of a tactic.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The tactic.
    pub tactic: String,
    /// The goal before.
    pub before: GoalSize,
    /// The subgoals after: how many, and their sizes together.
    pub after: Option<(usize, GoalSize)>,
    /// Wall-clock time.
    pub time: Duration,
    /// What came of it, in a few words.
    pub result: String,
    /// What it was made of.
    pub parts: Vec<TraceStep>,
}

/// A trace being written. One that is off costs nothing.
#[derive(Debug, Default)]
pub struct Trace {
    on: bool,
    open: Vec<(TraceStep, Instant)>,
    done: Vec<TraceStep>,
    steps: usize,
    /// Steps left out since there were too many.
    pub omitted: usize,
}

impl Trace {
    /// A trace that remembers.
    pub fn on() -> Trace {
        Trace { on: true, ..Trace::default() }
    }

    /// A trace of the same kind, for another thread.
    pub fn fresh(&self) -> Trace {
        Trace { on: self.on, ..Trace::default() }
    }

    /// Whether it remembers.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// A tactic begins. Returns whether it will be remembered: [`Trace::leave`] must be told.
    pub fn enter(&mut self, store: &Store, tactic: impl FnOnce() -> String, goal: &Goal) -> bool {
        if !self.on {
            return false;
        }
        if self.steps >= MAX_STEPS {
            self.omitted += 1;
            return false;
        }
        self.steps += 1;
        let step = TraceStep {
            tactic: tactic(),
            before: GoalSize::of(store, goal),
            after: None,
            time: Duration::ZERO,
            result: String::new(),
            parts: Vec::new(),
        };
        self.open.push((step, Instant::now()));
        true
    }

    /// The tactic last begun ends.
    pub fn leave(&mut self, result: String, after: Option<(usize, GoalSize)>) {
        if let Some((mut step, since)) = self.open.pop() {
            step.time = since.elapsed();
            step.result = result;
            step.after = after;
            self.attach(step);
        }
    }

    fn attach(&mut self, step: TraceStep) {
        match self.open.last_mut() {
            Some((parent, _)) => parent.parts.push(step),
            None => self.done.push(step),
        }
    }

    /// Adds what another thread did.
    pub fn adopt(&mut self, other: Trace) {
        self.omitted += other.omitted;
        self.steps += other.steps;
        for step in other.done {
            self.attach(step);
        }
    }

    /// The steps.
    pub fn steps(&self) -> &[TraceStep] {
        &self.done
    }

    /// The tree as text, a step a line, indented by depth.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut stack: Vec<(&TraceStep, usize)> = self.done.iter().rev().map(|s| (s, 0)).collect();
        while let Some((step, depth)) = stack.pop() {
            let after = step.after.map_or(String::new(), |(goals, size)| {
                let goals = if goals == 1 { String::new() } else { format!(" in {goals} goals") };
                format!(" -> {}/{}{goals}", size.formulas, size.terms)
            });
            let _ = writeln!(
                text,
                "{:indent$}{} {}/{}{after} {:.1} ms: {}",
                "",
                step.tactic,
                step.before.formulas,
                step.before.terms,
                step.time.as_secs_f64() * 1e3,
                step.result,
                indent = 2 * depth,
            );
            stack.extend(step.parts.iter().rev().map(|p| (p, depth + 1)));
        }
        if self.omitted > 0 {
            let _ = writeln!(text, "and {} more steps", self.omitted);
        }
        text
    }
}
