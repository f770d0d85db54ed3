//! A reduction from files to files: what `squall reduce`, campaigns and folders of findings share.

mod any_text;
mod earlier;
mod options;

pub use any_text::{TEMPORARY, by_command, by_slowness};
pub use earlier::earlier;

use crate::progress::{InstallProgress, ReductionWatch};
use crate::watched_writer::WatchedWriter;
use anyhow::{Context, Result, anyhow, bail};
use earlier::smaller_predecessors;
use finding::folder::FindingPaths;
use finding::{FailureKind, Finding, Trust};
use options::{fewer_options, other_versions};
use oracle::question::SolverQuestion;
use oracle::replay::{self, SavedFinding};
use reduce::finding::{ReductionWriter, key, resumable};
use reduce::judge::Evidence;
use reduce::query::{TrustedSolver, dialect, label};
use reduce::readable;
use reduce::reducer::ReducerConfig;
use reduce::start::{self, ReductionStart, ReductionTask, start, witness_of};
use reduce::subject::Unreadable;
use reduce::{CandidateVerdict, CpuBudget, Reducer, ReductionReport, ShownFailure, Size, Subject, TextJudge};
use solver::install::{Fleet, InstalledSolver, ProgramId};
use solver::process::{CancelToken, ProcessLimits};
use solver::session::Solver;
use solver::spec::SolverSpec;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Solvers that are asked for the truth when none is named.
const USUAL_TRUST: [&str; 5] = ["z3", "cvc5", "cvc4", "bitwuzla", "yices2"];

/// How long one run may take by default.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// How much longer than its time a reduction may take, beside a tenth.
const GRACE: Duration = Duration::from_millis(500);

/// How often a file is tried to see whether the solver is wrong reliably.
const TRIALS: u32 = 3;

/// What is to be reduced, and how.
#[derive(Clone)]
pub struct ReductionOrder<'w> {
    /// The files.
    pub places: FindingPaths,
    /// The solver that answers wrongly; a finding records it.
    pub solver: Option<SolverSpec>,
    /// How it is wrong, if that is known.
    pub wrong: Option<FailureKind>,
    /// Solvers to trust, `none` for no solver; empty for the usual ones that are installed.
    pub trust: Vec<String>,
    /// How long one run may take; a finding says so itself, and other scripts have [`TIMEOUT`].
    pub timeout: Option<Duration>,
    /// Candidates tried at a time.
    pub jobs: usize,
    /// How long it may take.
    pub time: Option<Duration>,
    /// Begin anew, whatever an earlier reduction left.
    pub restart: bool,
    /// Ends it.
    pub cancel: CancelToken,
    /// Keeps it to its share of the time beside other work.
    pub cpu_budget: Option<Arc<CpuBudget>>,
    /// Is told of solvers that are installed first.
    pub progress: InstallProgress,
    /// Is told where the reduction stands.
    pub watch: Option<ReductionWatch<'w>>,
}

/// What a reduction came to.
pub struct ReductionResult {
    /// Sizes, calls and truth.
    pub report: ReductionReport,
    /// Whether it was finished at an earlier time, and nothing was done now.
    pub earlier: bool,
}

impl ReductionOrder<'_> {
    /// An order with the usual settings.
    pub fn new(places: FindingPaths, cancel: CancelToken) -> Self {
        ReductionOrder {
            places,
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

    /// The same with runs of solvers that end a little after its time: no candidate is begun then, but one run may take longer than all.
    fn bounded(&self) -> Self {
        let cancel = self.cancel.part();
        if let Some(time) = self.time {
            cancel.cancel_at(Instant::now() + time + time / 10 + GRACE);
        }
        ReductionOrder { cancel, ..self.clone() }
    }

    fn cannot_write(&self) -> String {
        format!("cannot write {}", self.places.output.display())
    }
}

fn finished(account: &reduce::finding::Account) -> Option<ReductionReport> {
    account.report.clone().filter(|report| report.finished)
}

/// Reduces a script on which a solver is wrong. `say` is told what the user should know.
///
/// # Errors
/// The file cannot be read, does not show the behaviour, or the result cannot be written.
pub fn by_solver(order: &ReductionOrder<'_>, fleet: &Fleet, say: &dyn Fn(&str)) -> Result<ReductionResult> {
    let (order, started) = (&order.bounded(), Instant::now());
    let places = &order.places;
    let AskedReduction { input, spec, key, mut task, .. } = asked(order, fleet)?.with_versions(order, fleet);
    for note in task.target.withheld(&String::from_utf8_lossy(&input)) {
        say(&note);
    }
    let text = match if order.restart { None } else { resumable(places, &key) } {
        Some((text, witness, account)) => {
            if let Some(report) = finished(&account) {
                return Ok(ReductionResult { report, earlier: true });
            }
            say(&format!("going on from {} bytes", text.len()));
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

/// What was given to reduce.
struct Given<'a> {
    /// The script.
    input: &'a [u8],
    /// The sizes of the scripts that go before it: as given, and now.
    predecessors: [Size; 2],
    /// How long it may take.
    time: Option<Duration>,
}

/// What a reduction begins with, for those who reduce in another way: the script as it was given, and the judge.
///
/// # Errors
/// The file cannot be read, or does not show the behaviour.
pub fn begin(order: &ReductionOrder<'_>, fleet: &Fleet) -> Result<(Subject, ReductionStart)> {
    let AskedReduction { input, task, .. } = asked(order, fleet)?.with_versions(order, fleet);
    shown_on(&input, order, &task)
}

/// Judges a candidate for the script of an order as a reduction would, for those who reduce with another program: the solver runs once, and
/// others only if the witness does not hold. Other versions are not asked.
///
/// # Errors
/// A file or solver that is not there, or an order that does not say how the solver is wrong.
pub fn verdict(order: &ReductionOrder<'_>, fleet: &Fleet, candidate: &str) -> Result<CandidateVerdict> {
    let AskedReduction { task, basis, .. } = asked(order, fleet)?;
    if task.shown.is_none() {
        bail!("say how the solver is wrong: --wrong unsat");
    }
    Ok(start::verdict(&task, basis, candidate, dialect(task.target.installed())))
}

/// What is to be reduced, as its files and the user say.
struct AskedReduction {
    input: Vec<u8>,
    spec: SolverSpec,
    /// The same input and question give the same.
    key: String,
    /// Without other versions.
    task: ReductionTask,
    /// What the truth rests on, as far as a record says.
    basis: Option<Trust>,
}

impl AskedReduction {
    /// The other versions that are here: those that show the same crash must go on doing so.
    fn with_versions(mut self, order: &ReductionOrder<'_>, fleet: &Fleet) -> AskedReduction {
        self.task.versions = other_versions(order, fleet, &self.task.target, &self.spec);
        self
    }
}

fn asked(order: &ReductionOrder<'_>, fleet: &Fleet) -> Result<AskedReduction> {
    let places = &order.places;
    let input = files::named(&places.input)?;
    let saved = saved(places)?;
    let spec = spec(order.solver.as_ref(), saved.as_ref().map(|saved| &saved.finding), fleet)?;
    let target = fleet.solver(fleet.ensure(&spec, &mut { order.progress })?).with_cancel(order.cancel.clone());
    let trusted = trusted(order, fleet, &target)?;
    let shown = shown(order.wrong, saved.as_ref(), order.solver.as_ref());
    let question = saved.as_ref().map(|saved| question(saved, order.timeout));
    let before = saved.as_ref().map_or("", |saved| &saved.earlier);
    let labels: Vec<&String> = trusted.iter().map(|t| &t.label).collect();
    let key = key(&input, &format!("2 {spec} {shown:?} {labels:?}{before}"));
    let witness = places.witness.as_ref().and_then(|p| files::found_text(p).ok());
    let basis = saved.map(|saved| saved.finding.trust).filter(|trust| *trust == Trust::Certified);
    let (versions, limits) = (Vec::new(), limits(order.timeout));
    let task = ReductionTask { target, question, shown, versions, trusted, limits, witness, trials: TRIALS };
    Ok(AskedReduction { input, spec, key, task, basis })
}

/// Sees the solver be wrong on a text.
fn shown_on(text: &[u8], order: &ReductionOrder<'_>, task: &ReductionTask) -> Result<(Subject, ReductionStart)> {
    let mut subject = Subject::read(text, dialect(task.target.installed())).map_err(|error| {
        let hint = match error {
            Unreadable::Mistakes { .. } => {
                ". Its truth cannot be judged: --check COMMAND reduces any text by a test of yours"
            }
            _ => "",
        };
        anyhow!("cannot reduce {}: {error}{hint}", order.places.input.display())
    })?;
    match start(&mut subject, task) {
        Ok(begun) => Ok((subject, begun)),
        // A run that was cut off answers nothing; that is not the file's fault.
        Err(_) if order.cancel.is_cancelled() => bail!(Interrupted),
        Err(error) => Err(error.into()),
    }
}

fn writer(order: &ReductionOrder<'_>, key: String, spec: Option<&SolverSpec>) -> ReductionWriter {
    let writer = ReductionWriter::new(order.places.clone(), key);
    match spec {
        Some(spec) => writer.with_solver(spec.to_string()),
        None => writer,
    }
}

/// Stopped before anything was found out.
#[derive(Debug, thiserror::Error)]
#[error("interrupted, or out of time, before the file was found to show it; nothing was written")]
pub struct Interrupted;

/// Nobody said which solver is wrong.
#[derive(Debug, thiserror::Error)]
#[error("say which solver answers wrongly: --solver z3@4.8.7")]
pub struct NoSolver;

/// The finding that the files are of, if they are of one.
///
/// # Errors
/// It cannot be read.
pub fn saved(places: &FindingPaths) -> Result<Option<SavedFinding>> {
    Ok(places.folder.as_ref().map(|folder| replay::load(folder.path())).transpose()?)
}

/// How a finding was asked; the user may say how long a run may take.
pub fn question(saved: &SavedFinding, timeout: Option<Duration>) -> SolverQuestion {
    let mut question = saved.question();
    question.limits.wall = timeout.unwrap_or(question.limits.wall);
    question
}

/// What a solver shows: what the finding says, if it is about the way to be wrong and the solver that the user names.
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

/// What one run may use that is no finding's.
pub fn limits(timeout: Option<Duration>) -> ProcessLimits {
    ProcessLimits { wall: timeout.unwrap_or(TIMEOUT), ..ProcessLimits::default() }
}

/// The solver that answers wrongly.
///
/// # Errors
/// No solver is named, or by a record alone where the user must.
pub fn spec(named: Option<&SolverSpec>, finding: Option<&Finding>, fleet: &Fleet) -> Result<SolverSpec> {
    match (named, finding) {
        (Some(spec), _) => Ok(spec.clone()),
        (None, Some(finding)) => Ok(replay::recorded_solver(&finding.solver, fleet)?),
        (None, None) => bail!(NoSolver),
    }
}

/// The end for a file that shows the error only in its own spelling.
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
    };
    writer.write(text, subject, &begun.evidence, Some(&report)).with_context(|| order.cannot_write())?;
    Ok(ReductionResult { report, earlier: false })
}

/// The size of what the user gave.
fn size(input: &[u8]) -> Size {
    Subject::read(input, smtlib::Dialect::default()).map(|s| s.size()).unwrap_or_default()
}

/// The solvers named, or those of the usual ones that are here, the target's own version excepted.
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
            // The newest that is here; the same solver in the same version would only repeat itself.
            let is_other = |i: &InstalledSolver| i.profile.name == name && i.is_release() && mine != i.program();
            let newest = fleet.list().into_iter().find(is_other);
            list.extend(newest.map(|installed| fleet.solver(installed)));
        }
    }
    // One program under two names has one voice.
    let mut voices: Vec<ProgramId> = Vec::new();
    list.retain(|solver| {
        let program = solver.installed().program();
        let is_new = !voices.contains(&program);
        voices.push(program);
        is_new
    });
    Ok(list.into_iter().map(|s| TrustedSolver::new(s).with_cancel(order.cancel.clone())).collect())
}

fn by_passes(
    order: &ReductionOrder<'_>,
    given: &Given<'_>,
    subject: Subject,
    evidence: Evidence,
    judge: Arc<TextJudge>,
    writer: ReductionWriter,
) -> Result<ReductionResult> {
    let mut reduced = passed(order, given, subject, evidence, &judge, writer)?;
    reduced.make_readable(given.input, &judge);
    reduced.written(order, given)
}

/// What the passes left of a script.
struct PassedScript {
    text: String,
    subject: Subject,
    evidence: Evidence,
    report: ReductionReport,
    writer: ReductionWriter,
}

fn passed(
    order: &ReductionOrder<'_>,
    given: &Given<'_>,
    subject: Subject,
    evidence: Evidence,
    judge: &Arc<TextJudge>,
    writer: ReductionWriter,
) -> Result<PassedScript> {
    writer.write(&subject.text(), &subject, &evidence, None).with_context(|| order.cannot_write())?;
    let config = ReducerConfig {
        jobs: order.jobs,
        time: given.time,
        cancel: order.cancel.clone(),
        before: size(given.input),
        cpu_budget: order.cpu_budget.clone(),
    };
    let bytes = (given.input.len(), subject.text().len());
    let mut sink = WatchedWriter::new(writer, order.watch, bytes);
    let reducer = Reducer::new(subject, evidence, Arc::clone(judge), config, &mut sink);
    let (subject, mut evidence, mut report) = reducer.run();
    let mut text = subject.text();
    // Our spelling of a script that was small already may be longer than the user's own.
    if let Ok(own) = std::str::from_utf8(given.input)
        && own.len() < text.len()
        && let CandidateVerdict::Interesting(same) = judge.judge(own, witness_of(&subject).as_ref(), true)
    {
        (text, evidence, report.after) = (own.to_string(), same, report.before);
    }
    Ok(PassedScript { text, subject, evidence, report, writer: sink.into_writer() })
}

impl PassedScript {
    /// Takes the readable form if it is judged the same. A file that was small already stays as it is.
    fn make_readable(&mut self, input: &[u8], judge: &TextJudge) {
        let text = readable::shaped(&self.text);
        if self.report.finished
            && self.text.as_bytes() != input
            && text != self.text
            && let CandidateVerdict::Interesting(same) = judge.judge(&text, witness_of(&self.subject).as_ref(), true)
        {
            (self.text, self.evidence) = (text, same);
            self.report.after.bytes = self.text.len();
        }
    }

    /// Writes the result, unless it could not be written on the way.
    fn written(mut self, order: &ReductionOrder<'_>, given: &Given<'_>) -> Result<ReductionResult> {
        if let Some(error) = self.writer.failure.take() {
            return Err(error).with_context(|| order.cannot_write());
        }
        let [before, now] = given.predecessors;
        let report = &mut self.report;
        // The size of a finding is that of all that goes to the solver.
        (report.before, report.after) = (report.before.with(before), report.after.with(now));
        let written = self.writer.write(&self.text, &self.subject, &self.evidence, Some(&self.report));
        written.with_context(|| order.cannot_write())?;
        Ok(ReductionResult { report: self.report, earlier: false })
    }
}
