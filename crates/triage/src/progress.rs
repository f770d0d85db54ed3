//! Who is told how long work goes on: installations, reductions, bisections, explanations.

use solver::build::git::SolverCommit;
use std::path::Path;

/// Is told what the installation of a solver does.
pub type InstallProgress = fn(&solver::install::InstallEvent<'_>);

/// Is told where a reduction stands, often: at each pass, and at each smaller script.
pub type ReductionWatch<'w> = &'w (dyn Fn(&ReductionStep) + Sync);

/// Is told of each answer to a bisection, from any thread.
pub type BisectionWatch<'w> = &'w (dyn Fn(&BisectionStep<'_>) + Sync);

/// Is told of each question of an explanation, from any thread.
pub type ExplainWatch<'w> = &'w (dyn Fn(&ExplainStep<'_>) + Sync);

/// Where a reduction stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReductionStep {
    /// The pass at work.
    pub pass: &'static str,
    /// The script's size at the beginning and now, in bytes.
    pub bytes: (usize, usize),
    /// Candidates that were judged.
    pub judged: u64,
}

/// Where a bisection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BisectionStep<'a> {
    /// Questions that are answered, from 1 on.
    pub done: usize,
    /// All questions.
    pub total: usize,
    /// Who answered.
    pub solver: &'a str,
}

/// Where a bisection over commits stands.
#[derive(Clone, Copy, Debug)]
pub struct CommitStep<'a> {
    /// Commits that are asked, with this one.
    pub asked: usize,
    /// The commit.
    pub commit: &'a SolverCommit,
    /// Why it does not build, and where that is told at length.
    pub failed: Option<(&'a str, &'a Path)>,
}

/// Where an explanation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplainStep<'a> {
    /// Questions that are answered, from 1 on.
    pub done: usize,
    /// All questions that are known by now.
    pub total: usize,
    /// What the last one was about.
    pub about: &'a str,
}
