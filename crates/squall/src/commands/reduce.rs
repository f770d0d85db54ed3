//! `squall reduce`: shrinks a script on which a solver is wrong; every step checks the right answer.

use crate::args::units::time_text;
use crate::exit::Exit;
use crate::render::progress::ProgressLine;
use crate::render::say::counted;
use ::finding::folder::{FindingFile, FindingFolder, FindingPaths};
use ::finding::{AnswerVector, FindingKind, Trust};
use anyhow::Result;
use finding::FailureKind;
use reduce::ReductionReport;
use solver::install::Fleet;
use solver::process::{CancelToken, processors};
use solver::spec::SolverSpec;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use triage::folder::Triaged;
use triage::progress::ReductionStep;
use triage::reduction::{self, Interrupted, ReductionOrder, ReductionResult};
use triage::reduction_yield::ReductionYield;

/// The time limit per finding of a campaign's folder, so that a hard one does not delay the others.
const EACH: Duration = Duration::from_secs(60);

/// Shrink a script on which a solver is wrong; every step checks the right answer.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall reduce squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab\n  squall reduce out --for 10m --for-each 20s\n  squall reduce bug.smt2 --solver z3@4.8.7 --wrong unsat -o small.smt2\n  \
                  squall reduce bug.smt2 --check ./still-fails.sh\n  squall reduce slow.smt2 --solver z3 --slower-than 5s\n\n\
                  An interrupted reduction resumes from its best result.\n\n\
                  Exit codes: 0 fully reduced, 1 failure or the file does not show the bug, 2 usage, 3 interrupted or out of time (the best result \
    is kept)."
)]
pub struct Args {
    /// A finding's folder, a campaign's folder (to reduce all its findings), or a script.
    #[arg(value_name = "FINDING|OUT|FILE")]
    path: PathBuf,
    /// The solver that is wrong [default: as recorded in the finding].
    #[arg(long, short, value_name = "SPEC")]
    solver: Option<SolverSpec>,
    /// The kind of failure: unsat, sat, invalid-model, self-check, unknown or crash [default: detected].
    #[arg(long, value_name = "HOW")]
    wrong: Option<FailureKind>,
    /// Solvers to trust where the evaluator cannot decide; all must agree. `none` trusts no solver.
    #[arg(long, value_name = "SPEC", num_args = 1..)]
    trust: Vec<String>,
    /// A command that decides instead of a solver: it gets a file as its last argument, and exits with 0 if the file is
    /// still interesting.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["solver", "wrong", "trust"])]
    check: Option<String>,
    /// The minimum CPU time of the solver, whatever it answers; the reduction preserves it.
    #[arg(long, value_name = "TIME", value_parser = crate::args::units::time, requires = "solver", conflicts_with_all = ["wrong", "trust", "check", "timeout"])]
    slower_than: Option<Duration>,
    /// The time limit of one run [default: three times that of the finding, 10s for other scripts].
    #[arg(long, short, value_name = "TIME", value_parser = crate::args::units::time)]
    timeout: Option<Duration>,
    /// Number of candidates to try at a time [default: one per processor]; the result does not depend on it.
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The time limit of the reduction.
    #[arg(long = "for", value_name = "TIME", value_parser = crate::args::units::time)]
    time: Option<Duration>,
    /// The time limit per finding of a campaign's folder [default: 1m].
    #[arg(long, value_name = "TIME", value_parser = crate::args::units::time)]
    for_each: Option<Duration>,
    /// The output file [default: bug.reduced.smt2 for bug.smt2, bug.reduced.c for bug.c, reduced.smt2 in a finding's folder].
    #[arg(long = "out", short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Start over, ignoring an earlier reduction.
    #[arg(long)]
    restart: bool,
    /// Print only the result.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the subcommand.
/// Errors: the file cannot be read or does not show the behaviour, or the result cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    let cancel = CancelToken::new();
    let on_signal = cancel.clone();
    // A second handler in one process is an error; the first one does the same.
    let _ = ctrlc::set_handler(move || on_signal.cancel());
    if args.path.is_dir() && !FindingFolder::at(&args.path).has(FindingFile::Mutant) {
        return folder(&args, &cancel);
    }
    if args.for_each.is_some() {
        usage!("{} is a single finding: --for-each is for a campaign's folder; use --for", args.path.display());
    }
    let line = if args.quiet { ProgressLine::none() } else { ProgressLine::until("reducing", args.time) };
    let watch = |step: &ReductionStep| line.begins(&words(step));
    let order = ReductionOrder { watch: Some(&watch), ..order(&args, &args.path, cancel) };
    let reduced = match (&args.check, args.slower_than) {
        (Some(command), _) => reduction::by_command(&order, command),
        (None, Some(time)) => reduction::by_slowness(&order, &Fleet::of_user()?.naming(&args.solver), time),
        (None, None) => {
            reduction::by_solver(&order, &Fleet::of_user()?.naming(&args.solver), &|text| tell(&args, text))
        }
    };
    match reduced {
        Ok(ReductionResult { report, earlier }) => {
            if earlier {
                println!("already reduced: {}", order.paths.output.display());
            }
            if args.path.is_dir() && report.finished {
                vector(&args.path, &Fleet::of_user()?.naming(&args.solver));
            }
            show(&order.paths, &report);
            Ok(if report.finished { Exit::Clean } else { Exit::Unfinished })
        }
        Err(error) if error.is::<Interrupted>() => {
            eprintln!("squall: {error}");
            Ok(Exit::Unfinished)
        }
        Err(error) => Err(error),
    }
}

fn order(args: &Args, path: &Path, cancel: CancelToken) -> ReductionOrder<'static> {
    ReductionOrder {
        solver: args.solver.clone(),
        wrong: args.wrong,
        trust: args.trust.clone(),
        timeout: args.timeout,
        jobs: args.jobs.map_or_else(processors, usize::from),
        time: args.time,
        restart: args.restart,
        progress: crate::commands::solver::say,
        ..ReductionOrder::new(FindingPaths::of(path, args.output.as_deref()), cancel)
    }
}

/// Reduces every finding of a campaign, those first that most likely have a new cause. A failure does not stop the others.
fn folder(args: &Args, cancel: &CancelToken) -> Result<Exit> {
    if args.check.is_some() || args.output.is_some() || args.wrong.is_some() || args.slower_than.is_some() {
        let path = args.path.display();
        usage!("{path} is a campaign's folder: --check, --slower-than, --wrong and -o are for a single finding");
    }
    let fleet = Fleet::of_user()?.naming(&args.solver);
    let began = Instant::now();
    let out = triage::folder::CampaignFindings::load(&args.path)?;
    out.damaged.iter().for_each(|error| eprintln!("squall: {error}"));
    let mut failed = out.damaged.len();
    let mut unfinished = false;
    let mut findings = out.by_importance();
    let causes = ReductionYield::load(&args.path);
    let for_each = args.for_each.unwrap_or(EACH);
    let rank = |finding: &Triaged| causes.rank(&FindingKind::of(&finding.finding), &finding.finding.symptom);
    let line = match args.quiet {
        true => ProgressLine::none(),
        false => ProgressLine::steps("reducing", findings.len() as u64),
    };
    // Earlier reductions only need new releases to be run, which can wait.
    let key = |finding: &Triaged| (finding.is_reduced(), rank(finding));
    for n in 0.. {
        // Of equal ones the first, which is the most important.
        let Some(next) = (0..findings.len()).min_by_key(|&at| (key(findings[at]), at)) else { break };
        let finding = findings.remove(next);
        let left = args.time.map(|time| time.saturating_sub(began.elapsed()));
        if cancel.is_cancelled() || left.is_some_and(|left| left.is_zero()) {
            unfinished = true;
            break;
        }
        let left = Some(left.map_or(for_each, |left| left.min(for_each)));
        line.is_at(n);
        line.begins(finding.name());
        let watch = |step: &ReductionStep| line.begins(&format!("{}: {}", finding.name(), words(step)));
        let order = ReductionOrder { time: left, watch: Some(&watch), ..order(args, &finding.folder, cancel.clone()) };
        match reduction::by_solver(&order, &fleet, &|_| ()) {
            Ok(ReductionResult { report, earlier }) => {
                unfinished |= !report.finished;
                if let Some(vector) = vector(&finding.folder, &fleet)
                    && !earlier
                {
                    causes.add(&FindingKind::of(&finding.finding), &finding.finding.symptom, &vector);
                }
                println!(
                    "{}: {} -> {} bytes in {}{}",
                    finding.name(),
                    report.before.bytes,
                    report.after.bytes,
                    time_text(report.seconds),
                    if earlier { " (earlier)" } else { "" }
                );
            }
            Err(error) if error.is::<Interrupted>() => unfinished = true,
            Err(error) => {
                failed += 1;
                eprintln!("squall: {}: {}", finding.name(), triage::error_text(&error));
            }
        }
    }
    if unfinished {
        println!("not finished; run it again to continue");
    }
    Ok(match (failed, unfinished) {
        (0, false) => Exit::Clean,
        (0, true) => Exit::Unfinished,
        _ => Exit::Failure,
    })
}

/// Describes the progress of a reduction.
pub fn words(step: &ReductionStep) -> String {
    let ReductionStep { pass, bytes: (before, now), judged } = step;
    format!("{before} -> {now} bytes, {}, pass {pass}", counted(*judged, "solver call"))
}

/// Runs the releases on the reduced script; `squall report --list` distinguishes causes by their answers. If none can be run,
/// the operators group the script.
fn vector(folder: &Path, fleet: &Fleet) -> Option<AnswerVector> {
    match triage::bisection::reduced_vector(folder, fleet) {
        Ok(vector) => Some(vector),
        Err(error) => {
            eprintln!("squall: {}: cannot run other releases: {}", folder.display(), triage::error_text(&error));
            None
        }
    }
}

fn tell(args: &Args, text: &str) {
    if !args.quiet {
        eprintln!("{text}");
    }
}

/// Prints the result in the measures of the STORM paper's Table 4.
fn show(places: &FindingPaths, report: &ReductionReport) {
    let (before, after) = (report.before, report.after);
    println!("            before   after");
    println!("bytes       {:<8} {:<8} -{:.1} %", before.bytes, after.bytes, after.percent_less_than(before));
    // Any text can be reduced by a command.
    if before.assertions > 0 {
        println!("assertions  {:<8} {}", before.assertions, after.assertions);
        println!("max depth   {:<8} {}", before.depth, after.depth);
    }
    let runs = if report.truth == Trust::Command { "runs of the command" } else { "solver calls" };
    println!("{} {runs} in {}", report.judged, time_text(report.seconds));
    println!("truth {}", report.truth.reason());
    if !report.finished {
        println!("not finished; run it again to continue");
    }
    println!("{}", places.output.display());
}
