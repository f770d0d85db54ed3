//! The compared solvers: our own searches and strategies, and installed solvers, each in its own process.

use crate::problem::{BenchProblem, instance};
use anyhow::{Context, Result};
use oracle::translate;
use search::StrategyChoice;
use semantics::{Judgement, ModelJudge};
use serde::{Deserialize, Serialize};
use smtlib::Store;
use solver::doctor;
use solver::install::Fleet;
use solver::outcome::Answer;
use solver::process::{self, CancelToken, MemoryGuard, ProcessJob, ProcessLimits, RunStatus};
use solver::response::{Response, SatResponse, responses};
use solver::script::count_checks;
use solver::session::{SessionNeeds, Solver};
use solver::spec::SolverSpec;
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The grace period: how long after its time limit a process is killed. Solvers that enforce the limit themselves can then report it.
const GRACE: Duration = Duration::from_millis(500);

/// One compared solver.
pub struct Contender {
    /// The name by which users choose it and results show it.
    pub name: String,
    kind: ContenderKind,
}

enum ContenderKind {
    /// `squall solve --strategy search --search WAY`.
    Search(StrategyChoice),
    /// `squall solve --strategy S`.
    Strategy(String),
    /// An installed solver.
    Solver(Box<Solver>),
}

/// The result of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// The answers, one per check.
    pub answers: Vec<Answer>,
    /// The evaluator's verdict on the model after the only check's `sat`.
    pub model: ModelVerdict,
    /// Wall-clock seconds from spawn to exit.
    #[serde(rename = "wall_s")]
    pub wall: f64,
    /// CPU seconds.
    #[serde(rename = "cpu_s")]
    pub cpu: f64,
    /// Largest resident set in bytes.
    #[serde(rename = "memory_bytes")]
    pub memory: u64,
}

/// The evaluator's verdict on a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelVerdict {
    /// There is no model, because the answer is not `sat`.
    #[serde(rename = "")]
    None,
    /// The model makes every assertion true.
    Valid,
    /// The model makes an assertion false.
    Invalid,
    /// The model is missing, cannot be read, or leaves a value open.
    #[serde(rename = "unchecked")]
    Unknown,
}

impl Sample {
    /// Returns the answers as text; runs of equal ones are counted, as in `unsat*3 sat`.
    pub fn words(&self) -> String {
        let run = |same: &[Answer]| match same {
            [one] => one.word().to_string(),
            _ => format!("{}*{}", same[0].word(), same.len()),
        };
        self.answers.chunk_by(|a, b| a == b).map(run).collect::<Vec<_>>().join(" ")
    }

    /// Whether every check has this answer.
    pub fn is_only(&self, answer: Answer) -> bool {
        !self.answers.is_empty() && self.answers.iter().all(|&each| each == answer)
    }
}

impl ModelVerdict {
    /// Returns the verdict as one word, empty without a model.
    pub fn word(self) -> &'static str {
        match self {
            ModelVerdict::None => "",
            ModelVerdict::Valid => "valid",
            ModelVerdict::Invalid => "invalid",
            ModelVerdict::Unknown => "unchecked",
        }
    }
}

/// The conditions of a run.
pub struct Conditions {
    /// The path of this program.
    pub program: PathBuf,
    /// The time limit.
    pub timeout: Duration,
    /// Stops all runs.
    pub cancel: CancelToken,
    /// The memory limit, in bytes.
    pub memory: u64,
}

/// An invalid contender name, with a suggestion.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UnknownContender(pub String);

impl Contender {
    /// Parses a name: `search`, `search:WAY`, `strategy:S`, or a solver.
    /// Errors: there is no such way, strategy or solver.
    pub fn of(name: &str, fleet: &Fleet, cancel: &CancelToken) -> Result<Contender> {
        let kind = match name.split_once(':') {
            _ if name == "search" => ContenderKind::Search(StrategyChoice::default()),
            Some(("search", way)) => ContenderKind::Search(way.parse().map_err(UnknownContender)?),
            Some(("strategy", strategy)) if !strategy.is_empty() => ContenderKind::Strategy(strategy.to_string()),
            Some(("strategy", _)) => {
                let wanted = "strategy: needs an expression, as in 'strategy:(then simplify sat)'";
                return Err(UnknownContender(wanted.to_string()).into());
            }
            _ => {
                let spec: SolverSpec = name.parse().map_err(|e| UnknownContender(format!("{e}")))?;
                let solver = fleet.solver(fleet.resolve(&spec)?).with_cancel(cancel.clone());
                doctor::preflight(&solver, &ProcessLimits::default()).map_err(UnknownContender)?;
                ContenderKind::Solver(Box::new(solver))
            }
        };
        Ok(Contender { name: name.to_string(), kind })
    }

    /// Returns the key of its stored runs: its name, its version if known, and for a program given by path, its digest.
    pub fn identity(&self) -> String {
        match &self.kind {
            ContenderKind::Search(..) | ContenderKind::Strategy(_) => self.name.clone(),
            ContenderKind::Solver(solver) => {
                let installed = solver.installed();
                let mut words = [&[installed.label()], installed.spec.options()].concat();
                if matches!(installed.spec, SolverSpec::Path(_)) {
                    words.push(installed.digest());
                }
                words.join(" ")
            }
        }
    }

    /// Runs on a problem. If it has one check and the answer is `sat`, a second run, which is not timed, gives the model to check: options
    /// for models change what solvers do.
    /// Errors: the program cannot be run.
    pub fn run(&self, problem: &BenchProblem, seed: u64, conditions: &Conditions) -> Result<Sample> {
        let limits = ProcessLimits {
            wall: conditions.timeout.saturating_add(GRACE),
            memory_bytes: Some(conditions.memory),
            ..ProcessLimits::default()
        };
        let (answers, model, wall, cpu, memory) = match &self.kind {
            ContenderKind::Solver(solver) => {
                let limits = ProcessLimits { wall: conditions.timeout, ..limits };
                let solver = (**solver).clone().with_random_seed(seed as u32);
                let ask = |text: &str, needs| {
                    solver.check(text, needs, &limits).with_context(|| format!("cannot run {}", self.name))
                };
                // The file's own text comes first, because the solver is measured on that text.
                let mut text = Cow::Borrowed(problem.text.as_str());
                let needs = SessionNeeds::of_script(count_checks(text.as_bytes()), &text);
                let mut outcome = ask(&text, needs)?;
                if outcome.answers.iter().any(|check| check.answer == Answer::Void) {
                    text = translated(&problem.text, &solver).into();
                    outcome = ask(&text, needs)?;
                }
                let answers: Vec<Answer> = outcome.answers.iter().map(|check| check.answer).collect();
                let model = match answers[..] {
                    [Answer::Sat] => ask(&with_model(&text), needs | SessionNeeds::MODELS)?
                        .answers
                        .first()
                        .filter(|check| check.answer == Answer::Sat)
                        .and_then(|check| check.responses.first().cloned()),
                    _ => None,
                };
                (answers, model, outcome.wall, outcome.cpu, outcome.peak_rss_bytes)
            }
            ContenderKind::Search(way) => {
                let (way, seed) = (way.to_string(), seed.to_string());
                let args = ["--strategy", "search", "--search", &way, "--seed", &seed];
                let args = args.map(str::to_string);
                self.own(problem, &args, conditions, &limits)?
            }
            ContenderKind::Strategy(strategy) => {
                let args = ["--strategy".to_string(), strategy.clone()];
                self.own(problem, &args, conditions, &limits)?
            }
        };
        let model = match (&answers[..], model) {
            ([Answer::Sat], Some(text)) => check_model(&problem.text, &text),
            ([Answer::Sat], None) => ModelVerdict::Unknown,
            _ => ModelVerdict::None,
        };
        Ok(Sample { answers, model, wall: wall.as_secs_f64(), cpu: cpu.as_secs_f64(), memory })
    }

    /// Runs this program on a problem.
    fn own(
        &self,
        problem: &BenchProblem,
        args: &[String],
        conditions: &Conditions,
        limits: &ProcessLimits,
    ) -> Result<Own> {
        let mut command: Vec<OsString> = vec![conditions.program.clone().into(), "solve".into()];
        command.push(problem.path.clone().into());
        command.extend(args.iter().map(OsString::from));
        command.extend(["--model".into(), "--timeout".into(), format!("{}s", conditions.timeout.as_secs_f64()).into()]);
        let run = process::run(&ProcessJob {
            memory_guard: MemoryGuard::WatchedRss,
            cancel: Some(&conditions.cancel),
            ..ProcessJob::new(&command, &[], limits)
        })
        .with_context(|| format!("cannot run {}", self.name))?;
        let text = String::from_utf8_lossy(&run.stdout);
        let (said, model) = answers_in(&text);
        let ended = match run.status {
            RunStatus::TimedOut | RunStatus::CpuOut => Answer::Timeout,
            RunStatus::MemOut => Answer::MemOut,
            RunStatus::Cancelled => Answer::Cancelled,
            RunStatus::Signaled(_) => Answer::Crashed,
            _ => Answer::Missing,
        };
        let mut answers: Vec<Answer> = said
            .into_iter()
            .map(|response| match response {
                SatResponse::Unknown if run.wall >= conditions.timeout => Answer::Timeout,
                response => response.into(),
            })
            .collect();
        answers.resize(count_checks(problem.text.as_bytes()).max(answers.len()), ended);
        Ok((answers, model, run.wall, run.cpu, run.peak_rss_bytes))
    }
}

type Own = (Vec<Answer>, Option<String>, Duration, Duration, u64);

/// Returns the answers in an output, and the first model.
fn answers_in(text: &str) -> (Vec<SatResponse>, Option<String>) {
    let (mut answers, mut model) = (Vec::new(), None);
    for response in responses(text) {
        match response {
            Response::Answer(word) => answers.push(word),
            Response::Expression(text) if !answers.is_empty() && model.is_none() => model = Some(text.to_string()),
            _ => {}
        }
    }
    (answers, model)
}

/// Respells a script that a solver rejected, without the options and tactics of another solver.
fn translated(text: &str, solver: &Solver) -> String {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    translate::for_solver(&store, &parsed.script.commands, solver)
}

/// Returns the script with `(get-model)` after its check.
fn with_model(text: &str) -> String {
    format!("(set-option :produce-models true)\n{}\n(get-model)\n", text.replace("(exit)", ""))
}

/// Checks whether a model makes every assertion of a script true.
fn check_model(script: &str, model: &str) -> ModelVerdict {
    let mut store = Store::new();
    let Some(instance) = instance(&mut store, script) else { return ModelVerdict::Unknown };
    let Ok(judge) = ModelJudge::new(&mut store, &instance, model, &[], "") else { return ModelVerdict::Unknown };
    match judge.judgement(&store, &instance.assertions, semantics::EvalLimits::default()) {
        Judgement::Valid | Judgement::ValidCompleted => ModelVerdict::Valid,
        Judgement::Invalid { .. } => ModelVerdict::Invalid,
        _ => ModelVerdict::Unknown,
    }
}

#[cfg(test)]
#[path = "../tests/unit/contender.rs"]
mod tests;
