//! `squall reduce`: makes a script on which a solver errs as small as it gets, the truth kept.

use crate::{exit, files};
use anyhow::{Context, Result, bail};
use reduce::check_command::CheckCommand;
use reduce::finding::{Files, Keeper, Record, key, resumable};
use reduce::query::{Trusted, dialect, label};
use reduce::reducer::Config;
use reduce::start::{Question, start};
use reduce::{Judge, Reducer, Report, Size, Subject, Verdict, Wrong};
use solver::install::Fleet;
use solver::process::{CancelToken, Limits};
use solver::session::{Purpose, Solver};
use solver::spec::SolverSpec;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Solvers that are asked for the truth when none is named.
const USUAL_TRUST: [&str; 4] = ["z3", "cvc5", "bitwuzla", "yices2"];

/// Make a script on which a solver errs as small as it gets, the truth kept.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall reduce out/findings/3f2a\n  squall reduce bug.smt2 --solver z3@4.8.7 --wrong unsat -o small.smt2\n  \
                  squall reduce bug.smt2 --check ./still-fails.sh\n\n\
                  A reduction that was interrupted goes on from its best so far when it is started again.\n\n\
                  Exit codes: 0 reduced as far as it goes, 1 failure or the file does not show it, 2 usage, 3 interrupted or out of \
                  time (the best so far is kept)."
)]
pub struct Args {
    /// A finding's folder, or a script.
    #[arg(value_name = "FINDING|FILE")]
    path: PathBuf,
    /// The solver that errs; a finding knows its own.
    #[arg(long, value_name = "SPEC")]
    solver: Option<SolverSpec>,
    /// How it errs: unsat, sat, invalid-model, unknown or crash. Found out if it is not said.
    #[arg(long, value_name = "HOW")]
    wrong: Option<Wrong>,
    /// Solvers whose word is taken where our evaluator does not know; all must agree. `none` takes nobody's.
    #[arg(long, value_name = "SPEC", num_args = 1..)]
    trust: Vec<String>,
    /// A command that decides instead of a solver: it gets the path of a file as its last argument, and exit code 0 says that
    /// the file is still interesting.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["solver", "wrong", "trust"])]
    check: Option<String>,
    /// How long one run may take.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::fuzz::quantity::duration)]
    timeout: Duration,
    /// Candidates tried at a time; the result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = default_jobs())]
    jobs: usize,
    /// How long the reduction may take.
    #[arg(long = "for", value_name = "TIME", value_parser = crate::fuzz::quantity::duration)]
    time: Option<Duration>,
    /// Where the result goes [default: FILE.reduced.smt2, or reduced.smt2 in the finding's folder].
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How it is reduced: by passes, or as the STORM paper does it.
    #[arg(long, value_name = "METHOD", default_value = "passes")]
    method: Method,
    /// Begin anew, whatever an earlier reduction left.
    #[arg(long)]
    restart: bool,
    /// Say nothing but the result.
    #[arg(long, short)]
    quiet: bool,
}

/// How a script is reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Method {
    /// Delta debugging by passes over the terms.
    Passes,
    /// The STORM paper's Algorithm 2.
    Storm,
}

fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs the subcommand.
///
/// # Errors
/// The file cannot be read, does not show the behaviour, or the result cannot be written.
pub fn run(args: Args) -> Result<ExitCode> {
    let places = Files::of(&args.path, args.output.as_deref());
    let input = files::read(&places.input)?;
    let cancel = CancelToken::new();
    let on_signal = cancel.clone();
    // A second handler in one process is refused; the first one does the same.
    let _ = ctrlc::set_handler(move || on_signal.cancel());
    let limits = Limits { wall: args.timeout, ..Limits::default() };
    let job = Job { places, input, cancel, limits };
    match (&args.check, args.method) {
        (Some(command), Method::Passes) => by_command(&args, &job, command),
        (Some(_), Method::Storm) => {
            bail!("--method storm breeds satisfiable scripts, so it needs --solver, not --check")
        }
        (None, method) => by_solver(&args, &job, method),
    }
}

/// What every way of reducing needs.
struct Job {
    places: Files,
    input: Vec<u8>,
    cancel: CancelToken,
    limits: Limits,
}

impl Job {
    /// The size of what the user gave.
    fn size(&self) -> Size {
        Subject::read(&self.input, smtlib::Dialect::default()).map(|s| s.size()).unwrap_or_default()
    }
}

fn by_command(args: &Args, job: &Job, command: &str) -> Result<ExitCode> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let check =
        CheckCommand::new(command.to_string(), job.limits.clone(), folder.path().to_path_buf(), job.cancel.clone());
    let judge = Arc::new(Judge::Command(check));
    let key = key(&job.input, &format!("check {command}"));
    let earlier = if args.restart { None } else { resumable(&job.places, &key) };
    let text = earlier.map_or_else(|| job.input.clone(), |e| e.0);
    let subject = Subject::read(&text, smtlib::Dialect::default())?;
    let evidence = match judge.judge(&subject.text(), None, true) {
        Verdict::Interesting(evidence) => evidence,
        Verdict::NotShown(seen) | Verdict::TruthLost(seen) => bail!("the file is not interesting: {seen}"),
    };
    reduce(args, job, subject, evidence, judge, key)
}

fn by_solver(args: &Args, job: &Job, method: Method) -> Result<ExitCode> {
    let fleet = Fleet::of_user()?;
    let record: Option<Record> = match &job.places.record {
        Some(path) => {
            let bytes = files::read(path)?;
            Some(serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged", path.display()))?)
        }
        None => None,
    };
    let spec = match (&args.solver, &record) {
        (Some(spec), _) => spec.clone(),
        (None, Some(record)) => record.solver.spec.parse()?,
        (None, None) => bail!("say which solver errs: --solver z3@4.8.7, or --check COMMAND"),
    };
    let target = fleet.solver(fleet.ensure(&spec, &mut crate::solver::say)?).with_cancel(job.cancel.clone());
    let trusted = trusted(args, &fleet, &target, &job.cancel)?;
    let wrong = args.wrong.or_else(|| record.as_ref().and_then(Record::wrong));
    let question_text = format!("{spec} {wrong:?} {:?}", trusted.iter().map(|t| &t.label).collect::<Vec<_>>());
    let key = key(&job.input, &question_text);
    let earlier = if args.restart { None } else { resumable(&job.places, &key) };
    let witness_of_input = job.places.witness.as_ref().and_then(|p| std::fs::read_to_string(p).ok());
    let (text, witness) = match earlier {
        Some((text, witness, account)) => {
            if let Some(report) = &account.report
                && report.finished
            {
                println!("already reduced: {}", job.places.output.display());
                show(&job.places, report);
                return Ok(ExitCode::from(exit::CLEAN));
            }
            tell(args, &format!("going on from {} bytes", text.len()));
            (text, witness)
        }
        None => (job.input.clone(), witness_of_input),
    };
    let mut subject = Subject::read(&text, dialect(target.installed()))
        .with_context(|| format!("cannot reduce {}", job.places.input.display()))?;
    let purpose = record.as_ref().map_or(Purpose::SINGLE, purpose_of);
    let question = Question { target, wrong, trusted, limits: job.limits.clone(), purpose, witness, trials: 3 };
    let begun = start(&mut subject, &question)?;
    for note in &begun.notes {
        tell(args, note);
    }
    if let Some(text) = &begun.spelled {
        return as_spelled(job, &subject, &begun, text, key);
    }
    let size = subject.size();
    tell(
        args,
        &format!(
            "{}: {} on {} bytes, {} assertions, depth {}; {}",
            label(question.target.installed()),
            begun.judge.wrong,
            size.bytes,
            size.assertions,
            size.depth,
            begun.evidence.truth
        ),
    );
    if method == Method::Storm {
        return by_storm(args, job, subject, begun);
    }
    reduce(args, job, subject, begun.evidence, Arc::new(Judge::Solver(Box::new(begun.judge))), key)
}

/// The end for a file that shows the error only in its own spelling.
fn as_spelled(job: &Job, subject: &Subject, begun: &reduce::start::Start, text: &str, key: String) -> Result<ExitCode> {
    let after = Subject::read(text.as_bytes(), subject.dialect.clone()).map(|s| s.size()).unwrap_or_default();
    let truth = begun.evidence.truth.clone();
    let report =
        Report { before: job.size(), after, judged: 0, seconds: 0.0, truth, finished: true, passes: Vec::new() };
    Keeper::new(job.places.clone(), key)
        .write(text, subject, &begun.evidence, Some(&report))
        .with_context(|| format!("cannot write {}", job.places.output.display()))?;
    show(&job.places, &report);
    Ok(ExitCode::from(exit::CLEAN))
}

fn by_storm(args: &Args, job: &Job, subject: Subject, begun: reduce::start::Start) -> Result<ExitCode> {
    let limits = reduce::storm::Bounds { time: args.time, ..reduce::storm::Bounds::default() };
    let done = reduce::storm::reduce(subject, &begun.judge, &begun.evidence, &limits, &job.cancel)?;
    reduce::atomic::write(&job.places.output, done.text.as_bytes())
        .with_context(|| format!("cannot write {}", job.places.output.display()))?;
    show(&job.places, &done.report);
    Ok(ExitCode::from(if done.report.finished { exit::CLEAN } else { exit::UNFINISHED }))
}

fn purpose_of(record: &Record) -> Purpose {
    record.solver.purposes.iter().fold(Purpose::SINGLE, |purpose, word| match word.as_str() {
        "incremental" => purpose | Purpose::INCREMENTAL,
        "models" => purpose | Purpose::MODELS,
        "validate" => purpose | Purpose::VALIDATE,
        _ => purpose,
    })
}

/// The solvers named, or those of the usual ones that are here, the target's own version excepted.
fn trusted(args: &Args, fleet: &Fleet, target: &Solver, cancel: &CancelToken) -> Result<Vec<Trusted>> {
    let mut list = Vec::new();
    if args.trust.iter().any(|word| word == "none") {
        return Ok(Vec::new());
    }
    for word in &args.trust {
        let spec: SolverSpec = word.parse()?;
        list.push(fleet.solver(fleet.ensure(&spec, &mut crate::solver::say)?));
    }
    if args.trust.is_empty() {
        let mine = label(target.installed());
        for name in USUAL_TRUST {
            // The newest that is here; the same solver in the same version would only repeat itself.
            let newest = fleet.list().into_iter().find(|i| i.profile.name == name && label(i) != mine);
            list.extend(newest.map(|installed| fleet.solver(installed)));
        }
    }
    Ok(list.into_iter().map(|s| Trusted::new(s).with_cancel(cancel.clone())).collect())
}

fn reduce(
    args: &Args,
    job: &Job,
    subject: Subject,
    evidence: reduce::judge::Evidence,
    judge: Arc<Judge>,
    key: String,
) -> Result<ExitCode> {
    let mut keeper = Keeper::new(job.places.clone(), key);
    keeper
        .write(&subject.text(), &subject, &evidence, None)
        .with_context(|| format!("cannot write {}", job.places.output.display()))?;
    let config = Config { jobs: args.jobs, time: args.time, cancel: job.cancel.clone(), before: job.size() };
    let (subject, evidence, report) = Reducer::new(subject, evidence, judge, config, &mut keeper).run();
    if let Some(error) = keeper.failure.take() {
        return Err(error).with_context(|| format!("cannot write {}", job.places.output.display()));
    }
    keeper
        .write(&subject.text(), &subject, &evidence, Some(&report))
        .with_context(|| format!("cannot write {}", job.places.output.display()))?;
    show(&job.places, &report);
    Ok(ExitCode::from(if report.finished { exit::CLEAN } else { exit::UNFINISHED }))
}

fn tell(args: &Args, text: &str) {
    if !args.quiet {
        eprintln!("{text}");
    }
}

/// The result in the measures of the STORM paper's Table 4.
fn show(places: &Files, report: &Report) {
    let (before, after) = (report.before, report.after);
    println!("            before   after");
    println!("bytes       {:<8} {:<8} -{:.1} %", before.bytes, after.bytes, after.percent_less_than(before));
    println!("assertions  {:<8} {}", before.assertions, after.assertions);
    println!("max depth   {:<8} {}", before.depth, after.depth);
    println!("{} solver calls in {:.1} s", report.judged, report.seconds);
    println!("truth {}", report.truth);
    if !report.finished {
        println!("not finished; start it again to go on");
    }
    println!("{}", places.output.display());
}
