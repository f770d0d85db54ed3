//! `squall reduce`: shrinks a script that a solver answers wrongly, with its truth checked at every step.

use crate::args::units::time_text;
use crate::exit::Exit;
use crate::render::progress::ProgressLine;
use crate::render::say::counted;
use ::finding::folder::{FindingFile, FindingFolder, FindingPaths};
use ::finding::{AnswerVector, FindingKind};
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
use triage::reduced_causes::ReducedCauses;
use triage::reduction::{self, Interrupted, ReductionOrder, ReductionResult};

/// How long a finding of a campaign's folder may take: a hard one does not keep all others waiting.
const EACH: Duration = Duration::from_secs(60);

/// Shrink a script that a solver answers wrongly, with its truth checked at every step.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall reduce squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab\n  squall reduce out --for 10m --for-each 20s\n  squall reduce bug.smt2 --solver z3@4.8.7 --wrong unsat -o small.smt2\n  \
                  squall reduce bug.smt2 --check ./still-fails.sh\n  squall reduce slow.smt2 --solver z3 --slower-than 5s\n\n\
                  A reduction that was interrupted goes on from its best so far when it is started again.\n\n\
                  Exit codes: 0 reduced as far as it goes, 1 failure or the file does not show it, 2 usage, 3 interrupted or out of \
                  time (the best so far is kept)."
)]
pub struct Args {
    /// A finding's folder, a campaign's folder whose findings are all reduced, or a script.
    #[arg(value_name = "FINDING|OUT|FILE")]
    path: PathBuf,
    /// The solver that answers wrongly; a finding records it.
    #[arg(long, short, value_name = "SPEC")]
    solver: Option<SolverSpec>,
    /// Failure kind: unsat, sat, invalid-model, self-check, unknown or crash; detected by default.
    #[arg(long, value_name = "HOW")]
    wrong: Option<FailureKind>,
    /// Solvers to trust where the evaluator cannot decide; all must agree. `none`: trust no solver.
    #[arg(long, value_name = "SPEC", num_args = 1..)]
    trust: Vec<String>,
    /// A command that decides instead of a solver: it gets the path of a file as its last argument, and exit code 0 says that
    /// the file is still interesting.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["solver", "wrong", "trust"])]
    check: Option<String>,
    /// The CPU time that the solver takes at least, whatever it answers: what is kept is that it is slow.
    #[arg(long, value_name = "TIME", value_parser = crate::args::units::time, requires = "solver", conflicts_with_all = ["wrong", "trust", "check", "timeout"])]
    slower_than: Option<Duration>,
    /// How long one run may take [default: three times as long as the finding had, 10s for other scripts].
    #[arg(long, short, value_name = "TIME", value_parser = crate::args::units::time)]
    timeout: Option<Duration>,
    /// Candidates tried at a time [default: one a processor]; the result does not depend on it.
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// How long the reduction may take.
    #[arg(long = "for", value_name = "TIME", value_parser = crate::args::units::time)]
    time: Option<Duration>,
    /// How long the reduction of one finding of a campaign's folder may take [default: 1m].
    #[arg(long, value_name = "TIME", value_parser = crate::args::units::time)]
    for_each: Option<Duration>,
    /// Where the result goes [default: of bug.smt2 bug.reduced.smt2, in a finding's folder reduced.smt2].
    #[arg(long = "out", short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Begin anew, whatever an earlier reduction left.
    #[arg(long)]
    restart: bool,
    /// Say nothing but the result.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// The file cannot be read, does not show the behaviour, or the result cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    let cancel = CancelToken::new();
    let on_signal = cancel.clone();
    // A second handler in one process is refused; the first one does the same.
    let _ = ctrlc::set_handler(move || on_signal.cancel());
    if args.path.is_dir() && !FindingFolder::at(&args.path).has(FindingFile::Mutant) {
        return folder(&args, &cancel);
    }
    if args.for_each.is_some() {
        usage!(
            "{} is a single one: --for-each is for a campaign's folder, --for bounds its reduction",
            args.path.display()
        );
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

/// Reduces every finding of a campaign, those first that are likeliest to be of a cause that no other has; one that cannot be reduced
/// keeps no other from it.
fn folder(args: &Args, cancel: &CancelToken) -> Result<Exit> {
    if args.check.is_some() || args.output.is_some() || args.wrong.is_some() || args.slower_than.is_some() {
        let path = args.path.display();
        usage!("{path} is a folder of findings: --check, --slower-than, --wrong and -o are for a single one");
    }
    let fleet = Fleet::of_user()?.naming(&args.solver);
    let began = Instant::now();
    let out = triage::folder::CampaignFindings::load(&args.path)?;
    out.damaged.iter().for_each(|error| eprintln!("squall: {error}"));
    let mut failed = out.damaged.len();
    let mut unfinished = false;
    let mut findings = out.by_importance();
    let causes = ReducedCauses::load(&args.path);
    let for_each = args.for_each.unwrap_or(EACH);
    let rank = |finding: &Triaged| causes.rank(&FindingKind::of(&finding.finding), &finding.finding.symptom);
    let line = match args.quiet {
        true => ProgressLine::none(),
        false => ProgressLine::steps("reducing", findings.len() as u64),
    };
    // Of what was reduced before only the releases are asked again, since there may be new ones: that can wait.
    let key = |finding: &Triaged| (finding.is_reduced(), rank(finding));
    for n in 0.. {
        // Of equals the first, which is the most important.
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
        println!("not finished; start it again to go on");
    }
    Ok(match (failed, unfinished) {
        (0, false) => Exit::Clean,
        (0, true) => Exit::Unfinished,
        _ => Exit::Failure,
    })
}

/// Where a reduction stands, in words.
pub fn words(step: &ReductionStep) -> String {
    let ReductionStep { pass, bytes: (before, now), judged } = step;
    format!("{before} -> {now} bytes, {}, pass {pass}", counted(*judged, "solver call"))
}

/// Asks who errs on the reduced script, by which `squall report --list` tells causes apart. A script that nobody can be asked about
/// is grouped by its operators.
fn vector(folder: &Path, fleet: &Fleet) -> Option<AnswerVector> {
    match triage::bisection::reduced_vector(folder, fleet) {
        Ok(vector) => Some(vector),
        Err(error) => {
            eprintln!("squall: {}: not known who errs: {}", folder.display(), triage::error_text(&error));
            None
        }
    }
}

fn tell(args: &Args, text: &str) {
    if !args.quiet {
        eprintln!("{text}");
    }
}

/// The result in the measures of the STORM paper's Table 4.
fn show(places: &FindingPaths, report: &ReductionReport) {
    let (before, after) = (report.before, report.after);
    println!("            before   after");
    println!("bytes       {:<8} {:<8} -{:.1} %", before.bytes, after.bytes, after.percent_less_than(before));
    println!("assertions  {:<8} {}", before.assertions, after.assertions);
    println!("max depth   {:<8} {}", before.depth, after.depth);
    println!("{} solver calls in {}", report.judged, time_text(report.seconds));
    println!("truth {}", report.truth.reason());
    if !report.finished {
        println!("not finished; start it again to go on");
    }
    println!("{}", places.output.display());
}
