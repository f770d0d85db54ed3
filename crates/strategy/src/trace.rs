//! The trace of a run: every tactic's time, the sizes before and after, and the result.

use rewrite::Goal;
use rewrite::walk::visit;
use smtlib::Store;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The maximum number of recorded steps; later ones are only counted.
pub const MAX_STEPS: usize = 5000;

/// The size of a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GoalSize {
    /// Formulas.
    pub formulas: usize,
    /// Distinct subterms; 0 if not requested.
    pub terms: usize,
}

impl GoalSize {
    /// Returns the size of a goal.
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
    /// The number of subgoals after, and their total size.
    pub after: Option<(usize, GoalSize)>,
    /// Wall-clock time.
    pub time: Duration,
    /// The result, in a few words.
    pub result: String,
    /// Its parts.
    pub parts: Vec<TraceStep>,
}

/// A trace in progress. A disabled one costs nothing.
#[derive(Debug, Default)]
pub struct Trace {
    on: bool,
    open: Vec<(TraceStep, Instant)>,
    done: Vec<TraceStep>,
    steps: usize,
    /// The number of steps left out.
    pub omitted: usize,
}

impl Trace {
    /// Makes an enabled trace.
    pub fn on() -> Trace {
        Trace { on: true, ..Trace::default() }
    }

    /// Makes a trace of the same kind, for another thread.
    pub fn fresh(&self) -> Trace {
        Trace { on: self.on, ..Trace::default() }
    }

    /// Whether the trace is enabled.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Records the start of a tactic. Returns whether it is recorded: [`Trace::leave`] must get the same value.
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

    /// Records the end of the current tactic.
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

    /// Adds another thread's trace.
    pub fn adopt(&mut self, other: Trace) {
        self.omitted += other.omitted;
        self.steps += other.steps;
        for step in other.done {
            self.attach(step);
        }
    }

    /// Returns the steps.
    pub fn steps(&self) -> &[TraceStep] {
        &self.done
    }

    /// Prints the tree as text, one step per line, indented by depth.
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
