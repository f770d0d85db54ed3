//! The fuzzing solver as a decider.

use crate::args::units::time_text;
use crate::render::say::counted;
use ::solver::process::CancelToken;
use search::{Executor, SearchConfig, SearchOutcome, StartingPoints, Stats, StrategyChoice, solve};
use semantics::read_model;
use semantics::truth::{OpenTruth, unproven};
use smtlib::Store;
use std::sync::Arc;
use std::time::{Duration, Instant};
use strategy::proof::Proof;
use strategy::session::{CheckQuestion, Decide};
use strategy::solve::{checked, outright};
use strategy::{Budget, SolveAnswer, SolveReport};

/// The number of shown lines of the curve of best distances.
const MAX_CURVE: usize = 20;

/// A model as text. The problem, which is read later, declares its symbols.
pub struct StartingText {
    /// Its file.
    pub file: String,
    /// The text, as `(get-model)` prints it.
    pub text: String,
}

/// The fuzzing solver with its options.
pub struct SearchArgs {
    /// The search.
    pub way: StrategyChoice,
    /// The execution of programs.
    pub engine: Executor,
    /// The seed.
    pub seed: u64,
    /// Threads.
    pub jobs: usize,
    /// Models to start from.
    pub starts: Vec<StartingText>,
    /// The time for each check.
    pub time: Option<Duration>,
    /// Stops the work.
    pub cancel: CancelToken,
    /// Whether to record a refutation as a claim.
    pub claims: bool,
}

impl Decide for SearchArgs {
    fn decide(&mut self, store: &mut Store, question: &CheckQuestion<'_>) -> Result<SolveReport, String> {
        let assertions = &question.instance.assertions;
        if question.instance.incomplete {
            return Ok(SolveReport::unknown(
                "solver-specific commands before this check are not supported".to_string(),
            ));
        }
        if let Some(name) = unproven(store, &question.instance.declarations) {
            return Ok(SolveReport::unknown(OpenTruth::NotTotal(name.to_string()).to_string()));
        }
        let start = Instant::now();
        let time = self.time.into_iter().chain(question.time).min();
        let deadline = time.and_then(|time| start.checked_add(time));
        let budget = Budget { deadline, cancel: self.cancel.clone(), ..Budget::default() };
        let starts = self.starts.iter().map(|StartingText { file, text }| {
            read_model(store, question.instance, text)
                .map_err(|error| format!("{file} is not a model of the problem: {error}"))
        });
        let starts = starts.collect::<Result<StartingPoints, String>>()?;
        let config = SearchConfig {
            starts,
            strategy: self.way,
            seed: self.seed,
            jobs: self.jobs,
            deadline: budget.deadline,
            engine: self.engine,
            cancel: Some(self.cancel.flag()),
            ..SearchConfig::default()
        };
        let (outcome, work) = solve(store, assertions, &config);
        let by: Arc<str> = "search".into();
        let mut report = SolveReport::unknown(String::new());
        match outcome {
            SearchOutcome::Sat(model) => {
                (report.answer, report.internal_error) = checked(store, assertions, model, (&by, false), &budget);
            }
            SearchOutcome::Unsat { assertions: core } => {
                let (formulas, used) = (assertions.len(), core.len());
                let proof = Proof::Closed { by, trusted: false, formulas, used, step: None };
                report.claims = self.claims.then(|| outright(store, assertions, &proof));
                report.answer = SolveAnswer::Unsat { core, proof };
            }
            SearchOutcome::Unknown(reason) => report.answer = SolveAnswer::Unknown(reason.to_string()),
        }
        report.time = start.elapsed();
        describe(&work, &mut report.notes);
        Ok(report)
    }
}

fn describe(work: &Stats, lines: &mut Vec<String>) {
    let text = |time: Duration| time_text(time.as_secs_f64());
    lines.push(format!(
        "program: {}, {}, {} of {}; made in {}, compiled in {}",
        counted(work.operations, "operation"),
        counted(work.constraints, "constraint"),
        counted(work.slots, "slot"),
        counted(work.bits, "bit"),
        text(work.lowering),
        text(work.compiling)
    ));
    let seconds = work.searching.as_secs_f64();
    let rate = if seconds > 0.0 { work.executions as f64 / seconds / 1e6 } else { 0.0 };
    lines.push(format!(
        "search: {} executions in {}, {rate:.3} million a second, {} candidates rejected",
        work.executions,
        text(work.searching),
        work.rejected
    ));
    let skipped = work.curve.len().saturating_sub(MAX_CURVE);
    for point in work.curve.iter().skip(skipped) {
        lines.push(format!(
            "best: {} of {} constraints, the next at distance {}, after {} executions and {}",
            point.score.passed,
            work.constraints,
            point.score.distance,
            point.executions,
            text(point.at)
        ));
    }
}
