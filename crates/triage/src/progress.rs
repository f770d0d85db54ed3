//! Progress callbacks of long work: installations, reductions, bisections, explanations.

use reduce::finding::ReductionWriter;
use reduce::reducer::{Best, Sink};
use solver::build::git::SolverCommit;
use std::path::Path;

/// Called for each event of a solver's installation.
pub type InstallProgress = fn(&solver::install::InstallEvent<'_>);

/// Called often during a reduction: for each pass, and for each smaller script.
pub type ReductionWatch<'w> = &'w (dyn Fn(&ReductionStep) + Sync);

/// Called for each answer of a bisection, from any thread.
pub type BisectionWatch<'w> = &'w (dyn Fn(&BisectionStep<'_>) + Sync);

/// Called for each question of an explanation, from any thread.
pub type ExplainWatch<'w> = &'w (dyn Fn(&ExplainStep<'_>) + Sync);

/// The state of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReductionStep {
    /// The current pass.
    pub pass: &'static str,
    /// The script's size at the beginning and now, in bytes.
    pub bytes: (usize, usize),
    /// The number of judged candidates.
    pub judged: u64,
}

/// The state of a bisection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BisectionStep<'a> {
    /// The number of answered questions, from 1.
    pub done: usize,
    /// The number of questions.
    pub total: usize,
    /// The solver that answered.
    pub solver: &'a str,
}

/// The state of a bisection over commits.
#[derive(Clone, Copy, Debug)]
pub struct CommitStep<'a> {
    /// The number of commits asked, including this one.
    pub asked: usize,
    /// The commit.
    pub commit: &'a SolverCommit,
    /// Why the commit does not build, and the path of the log.
    pub failed: Option<(&'a str, &'a Path)>,
}

/// The state of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplainStep<'a> {
    /// The number of answered questions, from 1.
    pub done: usize,
    /// The number of questions known so far.
    pub total: usize,
    /// The subject of the last question.
    pub about: &'a str,
}

/// Keeps the best script so far, and reports progress.
pub struct WatchedWriter<'w> {
    writer: ReductionWriter,
    watch: Option<ReductionWatch<'w>>,
    step: ReductionStep,
}

impl<'w> WatchedWriter<'w> {
    /// Makes a writer; `bytes` is the size of the script before the reduction and at its start.
    pub fn new(writer: ReductionWriter, watch: Option<ReductionWatch<'w>>, bytes: (usize, usize)) -> WatchedWriter<'w> {
        WatchedWriter { writer, watch, step: ReductionStep { pass: "", bytes, judged: 0 } }
    }

    /// Returns the writer, once the reduction is finished.
    pub fn into_writer(self) -> ReductionWriter {
        self.writer
    }

    fn report(&mut self, step: ReductionStep) {
        self.step = step;
        if let Some(watch) = &self.watch {
            watch(&step);
        }
    }
}

impl Sink for WatchedWriter<'_> {
    fn improved(&mut self, best: &Best<'_>) {
        self.writer.improved(best);
        let bytes = (self.step.bytes.0, best.text.len());
        self.report(ReductionStep { pass: best.pass, bytes, judged: best.judged });
    }

    fn pass_begins(&mut self, pass: &'static str, judged: u64) {
        self.report(ReductionStep { pass, judged, ..self.step });
    }
}
