//! Reduces files to files; shared by `squall reduce`, campaigns and folders of findings.

mod any_text;
mod dependencies;
mod passes;

pub use any_text::{TEMPORARY, by_command, by_slowness};
pub use dependencies::earlier;
use passes::by_passes;

use crate::progress::{InstallProgress, ReductionWatch};
use anyhow::{Context, Result, anyhow, bail};
use dependencies::{fewer_options, other_versions, smaller_predecessors};
use finding::folder::FindingPaths;
use finding::{FailureKind, Finding};
use oracle::question::SolverQuestion;
use oracle::replay::{self, SavedFinding};
use reduce::finding::{ReductionWriter, key, resumable};
use reduce::query::{TrustedSolver, dialect, label};
use reduce::start::{ReductionStart, ReductionTask, start};
use reduce::subject::Unreadable;
use reduce::{CpuBudget, ReductionReport, ShownFailure, Size, Subject, TextJudge};
use solver::install::{Fleet, InstalledSolver, ProgramId};
use solver::process::{CancelToken, ProcessLimits};
use solver::session::Solver;
use solver::spec::SolverSpec;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The solvers asked for the truth by default.
const USUAL_TRUST: [&str; 5] = ["z3", "cvc5", "cvc4", "bitwuzla", "yices2"];

/// The default time limit of one run.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// How much a reduction may exceed its time limit, in addition to a tenth.
const GRACE: Duration = Duration::from_millis(500);

/// The number of runs that test whether the failure is reliable.
const TRIALS: u32 = 3;

/// What to reduce, and how.
#[derive(Clone)]
pub struct ReductionOrder<'w> {
    /// The files.
    pub paths: FindingPaths,
    /// The solver that answers wrongly; a finding records it.
    pub solver: Option<SolverSpec>,
    /// The symptom, if known.
    pub wrong: Option<FailureKind>,
    /// The solvers to trust, `none` for no solver; if empty, the installed ones of the usual solvers.
    pub trust: Vec<String>,
    /// The time limit of one run; a finding records its own, other scripts have [`TIMEOUT`].
    pub timeout: Option<Duration>,
    /// The number of candidates tried in parallel.
    pub jobs: usize,
    /// The time limit of the reduction.
    pub time: Option<Duration>,
    /// Start over, whatever an earlier reduction left.
    pub restart: bool,
    /// Ends the reduction.
    pub cancel: CancelToken,
    /// Limits the reduction to its share of time while other work runs.
    pub cpu_budget: Option<Arc<CpuBudget>>,
    /// Called for each solver that is installed first.
    pub progress: InstallProgress,
    /// Called with the state of the reduction.
    pub watch: Option<ReductionWatch<'w>>,
}

/// The result of a reduction.
pub struct ReductionResult {
    /// Sizes, calls and truth.
    pub report: ReductionReport,
    /// Whether an earlier run had finished it, so nothing was done now.
    pub earlier: bool,
}

impl ReductionOrder<'_> {
    /// Makes an order with the default settings.
    pub fn new(paths: FindingPaths, cancel: CancelToken) -> Self {
        ReductionOrder {
            paths,
            solver: None,
            wrong: None,
            trust: Vec::new(),
            timeout: None,
            jobs: 1,
            time: None,
            restart: false,
            cancel,
            cpu_budget: None,
            progress: |_| (),
            watch: None,
        }
    }

    /// Returns the order with solver runs that end a little after its time limit. No candidate is begun then, but a single run could
    /// exceed the whole limit.
    fn bounded(&self) -> Self {
        let cancel = self.cancel.part();
        if let Some(time) = self.time {
            cancel.cancel_at(Instant::now() + time + time / 10 + GRACE);
        }
        ReductionOrder { cancel, ..self.clone() }
    }

    fn cannot_write(&self) -> String {
        format!("cannot write {}", self.paths.output.display())
    }
}

fn finished(account: &reduce::finding::Account) -> Option<ReductionReport> {
    account.report.clone().filter(|report| report.finished)
}

/// Reduces a script on which a solver is wrong. `say` receives messages for the user.
/// Errors: the file cannot be read, does not show the failure, or the result cannot be written.
pub fn by_solver(order: &ReductionOrder<'_>, fleet: &Fleet, say: &dyn Fn(&str)) -> Result<ReductionResult> {
    let (order, started) = (&order.bounded(), Instant::now());
    let paths = &order.paths;
    let ReductionQuery { input, spec, key, mut task, .. } = query(order, fleet)?.with_versions(order, fleet);
    for note in task.target.withheld(&String::from_utf8_lossy(&input)) {
        say(&note);
    }
    let text = match if order.restart { None } else { resumable(paths, &key) } {
        Some((text, witness, account)) => {
            if let Some(report) = finished(&account) {
                return Ok(ReductionResult { report, earlier: true });
            }
            say(&format!("continuing from {} bytes", text.len()));
            task.witness = witness;
            text
        }
        None => input.clone(),
    };
    let (mut subject, begun) = shown_on(&text, order, &task)?;
    let (spec, task, mut begun) = fewer_options(&spec, task, begun, &mut subject, fleet, order)?;
    begun.notes.iter().for_each(|note| say(note));
    let predecessors = smaller_predecessors(order, &subject, &mut begun, say)?;
    let time = order.time.map(|time| time.saturating_sub(started.elapsed()));
    let given = Given { input: &input, predecessors, time };
    if let Some(text) = &begun.spelled {
        return as_spelled(order, &given, &subject, &begun, text, writer(order, key, Some(&spec)));
    }
    let size = subject.size();
    say(&format!(
        "{}: {} on {} bytes, {} assertions, depth {}; {}",
        label(task.target.installed()),
        begun.judge.shown.wrong,
        size.bytes,
        size.assertions,
        size.depth,
        begun.evidence.truth.reason()
    ));
    let judge = Arc::new(TextJudge::Solver(Box::new(begun.judge)));
    by_passes(order, &given, subject, begun.evidence, judge, writer(order, key, Some(&spec)))
}

/// The input of a reduction.
struct Given<'a> {
    /// The script.
    input: &'a [u8],
    /// The sizes of the preceding scripts, before and after.
    predecessors: [Size; 2],
    /// The time limit.
    time: Option<Duration>,
}

/// Returns the start of a reduction for other reducers: the input script and the judge.
/// Errors: the file cannot be read, or does not show the failure.
pub fn begin(order: &ReductionOrder<'_>, fleet: &Fleet) -> Result<(Subject, ReductionStart)> {
    let ReductionQuery { input, task, .. } = query(order, fleet)?.with_versions(order, fleet);
    shown_on(&input, order, &task)
}

/// What to reduce, according to its files and the user.
struct ReductionQuery {
    input: Vec<u8>,
    spec: SolverSpec,
    /// The same input and question give the same result.
    key: String,
    /// The question without other versions.
    task: ReductionTask,
}

impl ReductionQuery {
    /// Returns the other installed versions: those that show the same crash must continue to do so.
    fn with_versions(mut self, order: &ReductionOrder<'_>, fleet: &Fleet) -> ReductionQuery {
        self.task.versions = other_versions(order, fleet, &self.task.target, &self.spec);
        self
    }
}

fn query(order: &ReductionOrder<'_>, fleet: &Fleet) -> Result<ReductionQuery> {
    let paths = &order.paths;
    let input = files::named(&paths.input)?;
    let saved = saved(paths)?;
    let spec = spec(order.solver.as_ref(), saved.as_ref().map(|saved| &saved.finding), fleet)?;
    let target = fleet.solver(fleet.ensure(&spec, &mut { order.progress })?).with_cancel(order.cancel.clone());
    let trusted = trusted(order, fleet, &target)?;
    let shown = shown(order.wrong, saved.as_ref(), order.solver.as_ref());
    let question = saved.as_ref().map(|saved| question(saved, order.timeout));
    let before = saved.as_ref().map_or("", |saved| &saved.earlier);
    let labels: Vec<&String> = trusted.iter().map(|t| &t.label).collect();
    let key = key(&input, &format!("2 {spec} {shown:?} {labels:?}{before}"));
    let witness = paths.witness.as_ref().and_then(|p| files::found_text(p).ok());
    let (versions, limits) = (Vec::new(), limits(order.timeout));
    let task = ReductionTask { target, question, shown, versions, trusted, limits, witness, trials: TRIALS };
    Ok(ReductionQuery { input, spec, key, task })
}

/// Makes the solver show the failure on a text.
fn shown_on(text: &[u8], order: &ReductionOrder<'_>, task: &ReductionTask) -> Result<(Subject, ReductionStart)> {
    let mut subject = Subject::read(text, dialect(task.target.installed())).map_err(|error| {
        let hint = match error {
            Unreadable::Mistakes { .. } => {
                ". Its truth cannot be judged: --check COMMAND reduces any text by your own test"
            }
            _ => "",
        };
        anyhow!("cannot reduce {}: {error}{hint}", order.paths.input.display())
    })?;
    match start(&mut subject, task) {
        Ok(begun) => Ok((subject, begun)),
        // An interrupted run gives no answer; the file is not at fault.
        Err(_) if order.cancel.is_cancelled() => bail!(Interrupted),
        Err(error) => Err(error.into()),
    }
}

fn writer(order: &ReductionOrder<'_>, key: String, spec: Option<&SolverSpec>) -> ReductionWriter {
    let writer = ReductionWriter::new(order.paths.clone(), key);
    match spec {
        Some(spec) => writer.with_solver(spec.to_string()),
        None => writer,
    }
}

/// The reduction stopped before the first result.
#[derive(Debug, thiserror::Error)]
#[error("interrupted, or out of time, before the file was found to show it; nothing was written")]
pub struct Interrupted;

/// No solver was named.
#[derive(Debug, thiserror::Error)]
#[error("say which solver answers wrongly: --solver z3@4.8.7")]
pub struct NoSolver;

/// Returns the finding to which the files belong, if any.
/// Errors: it cannot be read.
pub fn saved(paths: &FindingPaths) -> Result<Option<SavedFinding>> {
    Ok(paths.folder.as_ref().map(|folder| replay::load(folder.path())).transpose()?)
}

/// Returns the question of a finding; the user may override the time limit of a run.
pub fn question(saved: &SavedFinding, timeout: Option<Duration>) -> SolverQuestion {
    let mut question = saved.question();
    question.limits.wall = timeout.unwrap_or(question.limits.wall);
    question
}

/// Returns the failure that the solver shows: the recorded one, if it agrees with the failure and the solver that the user names.
pub fn shown(
    wrong: Option<FailureKind>,
    saved: Option<&SavedFinding>,
    solver: Option<&SolverSpec>,
) -> Option<ShownFailure> {
    let found = saved.map(|saved| ShownFailure::of(&saved.finding));
    let found = found.map(|found| if solver.is_some() { found.in_another_version() } else { found });
    match wrong {
        Some(wrong) => Some(found.filter(|found| found.wrong == wrong).unwrap_or(ShownFailure::any(wrong))),
        None => found,
    }
}

/// Returns the limits of a run without a finding.
pub fn limits(timeout: Option<Duration>) -> ProcessLimits {
    ProcessLimits { wall: timeout.unwrap_or(TIMEOUT), ..ProcessLimits::default() }
}

/// Returns the solver that answers wrongly.
/// Errors: no solver is named, or only by a record where the user must name it.
pub fn spec(named: Option<&SolverSpec>, finding: Option<&Finding>, fleet: &Fleet) -> Result<SolverSpec> {
    match (named, finding) {
        (Some(spec), _) => Ok(spec.clone()),
        (None, Some(finding)) => Ok(replay::recorded_solver(&finding.solver, fleet)?),
        (None, None) => bail!(NoSolver),
    }
}

/// Ends the reduction of a file that shows the error only in its own spelling.
fn as_spelled(
    order: &ReductionOrder<'_>,
    given: &Given<'_>,
    subject: &Subject,
    begun: &ReductionStart,
    text: &str,
    writer: ReductionWriter,
) -> Result<ReductionResult> {
    let [before, now] = given.predecessors;
    let after = Subject::read(text.as_bytes(), subject.dialect.clone()).map(|s| s.size()).unwrap_or_default();
    let truth = begun.evidence.truth.clone();
    let report = ReductionReport {
        before: size(given.input).with(before),
        after: after.with(now),
        judged: 0,
        seconds: 0.0,
        truth,
        finished: true,
        passes: Vec::new(),
        told: begun.evidence.told.clone(),
        only_as_spelled: true,
    };
    writer.write(text, subject, &begun.evidence, Some(&report)).with_context(|| order.cannot_write())?;
    Ok(ReductionResult { report, earlier: false })
}

/// Returns the size of the user's input.
fn size(input: &[u8]) -> Size {
    Subject::read(input, smtlib::Dialect::default()).map(|s| s.size()).unwrap_or_default()
}

/// Returns the named solvers, or the installed ones of the usual solvers, except the target's own version.
fn trusted(order: &ReductionOrder<'_>, fleet: &Fleet, target: &Solver) -> Result<Vec<TrustedSolver>> {
    let mut list = Vec::new();
    if order.trust.iter().any(|word| word == "none") {
        return Ok(Vec::new());
    }
    for word in &order.trust {
        let spec: SolverSpec = word.parse()?;
        list.push(fleet.solver(fleet.ensure(&spec, &mut { order.progress })?));
    }
    if order.trust.is_empty() {
        let mine = target.installed().program();
        for name in USUAL_TRUST {
            // The newest installed version; the same solver in the same version would only repeat itself.
            let is_other = |i: &InstalledSolver| i.profile.name == name && i.is_release() && mine != i.program();
            let newest = fleet.list().into_iter().find(is_other);
            list.extend(newest.map(|installed| fleet.solver(installed)));
        }
    }
    // One program under two names counts once.
    let mut voices: Vec<ProgramId> = Vec::new();
    list.retain(|solver| {
        let program = solver.installed().program();
        let is_new = !voices.contains(&program);
        voices.push(program);
        is_new
    });
    Ok(list.into_iter().map(|s| TrustedSolver::new(s).with_cancel(order.cancel.clone())).collect())
}
