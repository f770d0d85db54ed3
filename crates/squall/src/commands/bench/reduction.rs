//! `squall bench reduce`: the passes of `squall reduce` beside Algorithm 2 of the STORM paper, on the same findings.

use super::wrong_answer::WrongAnswerArgs;
use crate::args::format::OutputFormat;
use crate::args::units;
use crate::commands::reduce::words;
use crate::render::progress::ProgressLine;
use crate::render::say::counted;
use crate::{exit, interruption};
use ::solver::install::Fleet;
use ::solver::process::{CancelToken, processors};
use anyhow::{Context, Result, bail};
use experiment::minimization::{self, SearchBounds, SmallestMutant};
use finding::folder::FindingPaths;
use reduce::Size;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use triage::progress::ReductionStep;
use triage::reduction::{self, Interrupted, ReductionOrder};

/// The findings to be reduced, and the conditions.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall bench reduce squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab\n  squall bench reduce squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab --method storm --mutants 1000 --out sizes\n  \
                  squall bench reduce a.smt2 b.smt2 --solver z3@4.8.7 --wrong unsat --trust z3@4.15.4 --for 60s\n\n\
                  The table has the measures of the STORM paper's Table 4. The method storm makes satisfiable scripts, so it \
                  reduces a wrong unsat only.\n\n\
                  Exit codes: 0 reduced by every method, 1 failure, or a method does not apply, 2 usage, 3 interrupted or out of time \
                  (the table has the best so far)."
)]
pub struct ReduceArgs {
    /// Findings' folders, and scripts.
    #[arg(required = true, value_name = "FINDING|FILE")]
    paths: Vec<PathBuf>,
    /// Only this method; without it, every one.
    #[arg(long, value_name = "METHOD")]
    method: Option<ReductionMethod>,
    #[command(flatten)]
    wrong_answer: WrongAnswerArgs,
    /// How long each method may take for one script.
    #[arg(long = "for", value_name = "TIME", value_parser = units::time)]
    time: Option<Duration>,
    /// Candidates that the passes try at a time [default: one a processor]; the method storm asks one after the other.
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Mutants of one round of the method storm.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    mutants: u64,
    /// The number from which the random choices of the method storm flow.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// What is printed: a table for people, or one JSON object a method and script.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Folder for the reduced scripts; without it, they are not kept.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// How a script is reduced.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ReductionMethod {
    /// Instance minimisation, the STORM paper's Algorithm 2.
    Storm,
    /// Delta debugging by passes over the terms, as `squall reduce` does it.
    Passes,
}

impl ReductionMethod {
    const ALL: [ReductionMethod; 2] = [ReductionMethod::Storm, ReductionMethod::Passes];

    fn word(self) -> &'static str {
        match self {
            ReductionMethod::Storm => "storm",
            ReductionMethod::Passes => "passes",
        }
    }
}

/// A row of the table.
struct ReducedSize {
    before: Size,
    after: Size,
    calls: u64,
    seconds: f64,
    finished: bool,
}

impl ReducedSize {
    fn json(&self, name: &str, method: ReductionMethod) -> serde_json::Value {
        let ReducedSize { before, after, calls, seconds, finished } = self;
        serde_json::json!({
            "name": name, "method": method.word(), "before": before, "after": after, "calls": calls, "seconds": seconds,
            "finished": finished,
        })
    }
}

/// Reduces every script by every method, in turn.
///
/// # Errors
/// A path or folder that cannot be used.
pub fn run(args: &ReduceArgs) -> Result<ExitCode> {
    let names = names(&args.paths)?;
    let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
    let out = args.out.as_deref().unwrap_or(temporary.path());
    std::fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    let cancel = interruption::token()?;
    let fleet = Fleet::of_user()?;
    let methods = args.method.map_or_else(|| ReductionMethod::ALL.to_vec(), |method| vec![method]);
    let (mut failed, mut unfinished) = (0, false);
    let is_table = args.format == OutputFormat::Text;
    if is_table {
        println!(
            "{:<9} {:>10} {:>7} {:>10} {:>6} {:>8} {:>9}",
            "", "bytes", "", "assertions", "depth", "calls", "time"
        );
    }
    for (path, name) in args.paths.iter().zip(&names) {
        if is_table {
            println!("{name}");
        }
        let mut found = false;
        for &method in &methods {
            if cancel.is_cancelled() {
                break;
            }
            let output = out.join(format!("{name}.{}.smt2", method.word()));
            match reduced(args, method, FindingPaths::of(path, Some(&output)), &fleet, &cancel) {
                Ok(row) if !is_table => {
                    unfinished |= !row.finished;
                    println!("{}", row.json(name, method));
                }
                Ok(row) => {
                    if !found {
                        print("as found", row.before, row.before, "");
                        found = true;
                    }
                    unfinished |= !row.finished;
                    let stopped = if row.finished { "" } else { "  stopped" };
                    let cost = format!(" {:>8} {:>9}{stopped}", row.calls, units::time_text(row.seconds));
                    print(method.word(), row.after, row.before, &cost);
                }
                Err(error) if error.is::<Interrupted>() => {}
                Err(error) => {
                    failed += 1;
                    eprintln!("squall: {name}: {}: {}", method.word(), triage::error_text(&error));
                }
            }
        }
    }
    if failed > 0 {
        eprintln!("squall: {} failed", counted(failed, "reduction"));
    }
    Ok(ExitCode::from(match (failed, unfinished || cancel.is_cancelled()) {
        (0, false) => exit::CLEAN,
        (0, true) => exit::UNFINISHED,
        _ => exit::FAILURE,
    }))
}

fn print(what: &str, size: Size, before: Size, cost: &str) {
    let less = if cost.is_empty() { String::new() } else { format!("-{:.1} %", size.percent_less_than(before)) };
    println!("{what:<9} {:>10} {less:>7} {:>10} {:>6}{cost}", size.bytes, size.assertions, size.depth);
}

/// The paths' last names, by which results are told apart.
fn names(paths: &[PathBuf]) -> Result<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    for path in paths {
        let last = if path.is_dir() { path.file_name() } else { path.file_stem() };
        let Some(name) = last.map(|name| name.to_string_lossy().into_owned()) else {
            usage!("{} has no name of its own; name the folder or file itself", path.display());
        };
        if !seen.insert(name.clone()) {
            usage!("two of the paths are named {name}, so that their results would be one; compare them one by one");
        }
        names.push(name);
    }
    Ok(names)
}

fn reduced(
    args: &ReduceArgs,
    method: ReductionMethod,
    places: FindingPaths,
    fleet: &Fleet,
    cancel: &CancelToken,
) -> Result<ReducedSize> {
    let output = places.output.clone();
    let line = ProgressLine::until(&format!("reducing by {}", method.word()), args.time);
    let watch = |step: &ReductionStep| line.begins(&words(step));
    let order = ReductionOrder {
        watch: Some(&watch),
        jobs: args.jobs.map_or_else(processors, usize::from),
        time: args.time,
        restart: true,
        ..args.wrong_answer.order(places, cancel.clone())
    };
    match method {
        ReductionMethod::Passes => {
            let report = reduction::by_solver(&order, fleet, &|_| ())?.report;
            let (before, after, seconds) = (report.before, report.after, report.seconds);
            Ok(ReducedSize { before, after, calls: report.judged, seconds, finished: report.finished })
        }
        ReductionMethod::Storm => by_storm(args, &order, fleet, &output),
    }
}

fn by_storm(args: &ReduceArgs, order: &ReductionOrder<'_>, fleet: &Fleet, output: &Path) -> Result<ReducedSize> {
    let (subject, begun) = reduction::begin(order, fleet)?;
    if begun.spelled.is_some() {
        bail!("the error shows only as the file spells it, and mutants are spelled anew");
    }
    let bounds = SearchBounds { mutants: args.mutants, time: args.time, seed: args.seed };
    let done = minimization::minimize(subject, &begun.judge, &begun.evidence, &bounds, &order.cancel)?;
    let SmallestMutant { text, before, after, calls, seconds, finished, .. } = done;
    files::atomic::write(output, text.as_bytes()).with_context(|| format!("cannot write {}", output.display()))?;
    Ok(ReducedSize { before, after, calls, seconds, finished })
}
