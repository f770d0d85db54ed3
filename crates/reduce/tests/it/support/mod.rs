//! Stand-in solvers whose bugs are simple conditions on the text, and reductions against them.

#[path = "../../../../smtlib/tests/it/support/cases.rs"]
pub mod cases;

use finding::{FailureKind, Observation};
use oracle::question::{SolverQuestion, purpose_of};
use reduce::judge::SolverJudge;
use reduce::query::TrustedSolver;
use reduce::reducer::{Best, ReducerConfig, Sink};
use reduce::start::{ReductionStart, ReductionTask, StartError, start};
use reduce::{Reducer, ReductionReport, ShownFailure, Size, Subject, TextJudge};
use solver::install::Fleet;
use solver::process::{CancelToken, ProcessLimits};
use solver::session::Solver;
use solver::spec::{PathSpec, SolverSpec};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Makes a solver from a shell script: `body` gets the text as `$t` and prints the answer.
pub fn stand_in(folder: &Path, body: &str) -> Solver {
    let path = folder.join("stand-in");
    testing::executable(&path, &format!("#!/bin/sh\nt=$(cat)\n{body}\n"));
    let fleet = Fleet::of_user().unwrap();
    let spec = SolverSpec::Path(PathSpec { profile: None, path: path.display().to_string(), options: Vec::new() });
    fleet.solver(fleet.resolve(&spec).unwrap())
}

/// The same, identified as z3.
pub fn z3_stand_in(folder: &Path, body: &str) -> Solver {
    let program = stand_in(folder, body);
    let path = folder.join("z3");
    std::fs::rename(&program.installed().command[0], &path).unwrap();
    let spec = SolverSpec::Path(PathSpec { profile: None, path: path.display().to_string(), options: Vec::new() });
    let fleet = Fleet::of_user().unwrap();
    fleet.solver(fleet.resolve(&spec).unwrap())
}

/// Returns the question of a finding.
pub fn asked(purposes: &[&str], earlier: &str, observation: Observation) -> SolverQuestion {
    let words: Vec<String> = purposes.iter().map(|word| word.to_string()).collect();
    let limits = ProcessLimits { wall: Duration::from_secs(20), ..ProcessLimits::default() };
    SolverQuestion {
        purpose: purpose_of(&words),
        limits,
        earlier: earlier.into(),
        observation,
        reference_solver: None,
        relation: None,
    }
}

/// Makes a solver that is wrong (`unsat`) at checks that have `word` on a line before them, and right (`sat`) at all others.
pub fn wrong_on(folder: &Path, word: &str) -> Solver {
    let body = format!(
        "a=sat; echo \"$t\" | while read -r l; do case \"$l\" in *'{word}'*) a=unsat;; esac; \
         case \"$l\" in *'(check-sat'*) echo $a;; esac; done"
    );
    stand_in(folder, &body)
}

pub struct Nothing;

impl Sink for Nothing {
    fn improved(&mut self, _: &Best<'_>) {}
}

pub fn question(target: Solver, wrong: Option<FailureKind>, witness: &str) -> ReductionTask {
    ReductionTask {
        target,
        question: None,
        shown: wrong.map(ShownFailure::any),
        versions: Vec::new(),
        trusted: Vec::<TrustedSolver>::new(),
        limits: ProcessLimits { wall: Duration::from_secs(20), ..ProcessLimits::default() },
        witness: Some(witness.to_string()).filter(|w| !w.is_empty()),
        trials: 2,
    }
}

pub fn begin(question: &ReductionTask, input: &str) -> Result<(Subject, ReductionStart), StartError> {
    let mut subject = Subject::read(input.as_bytes(), smtlib::Dialect::default()).unwrap();
    let begun = start(&mut subject, question)?;
    Ok((subject, begun))
}

/// Reduces to the end.
pub fn run(
    subject: Subject,
    evidence: reduce::judge::Evidence,
    judge: SolverJudge,
    jobs: usize,
) -> (String, ReductionReport) {
    let config =
        ReducerConfig { jobs, time: None, cancel: CancelToken::new(), before: Size::default(), cpu_budget: None };
    let mut nothing = Nothing;
    let judge = Arc::new(TextJudge::Solver(Box::new(judge)));
    let (subject, _, report) = Reducer::new(subject, evidence, judge, config, &mut nothing).run();
    (subject.text(), report)
}

/// Reduces `input` under a solver that is wrong where `word` occurs; `witness` satisfies it.
pub fn reduced(input: &str, witness: &str, word: &str, jobs: usize) -> (String, ReductionReport) {
    let folder = tempfile::tempdir().unwrap();
    let question = question(wrong_on(folder.path(), word), Some(FailureKind::Unsat), witness);
    let (subject, begun) = begin(&question, input).unwrap();
    run(subject, begun.evidence, begun.judge, jobs)
}
