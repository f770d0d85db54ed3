//! `squall bench`: whole runs against peers, repeatable by one command.

mod chart;
mod page;
mod reduction;

use crate::args::units;
use crate::exit;
use crate::render::progress::ProgressLine;
use ::search::StrategyChoice;
use ::solver::install::Fleet;
use ::solver::process::CancelToken;
use anyhow::{Context, Result, bail};
use experiment::contender::{Conditions, Contender, Sample, UnknownContender};
use experiment::problem::{BenchProblem, SuiteManifest};
use experiment::results::{BenchSamples, RunsPerFile};
use reduction::ReduceArgs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Compare our searches, our strategies, our reductions and installed solvers.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall bench fp problems/ --runs 3 --timeout 20s --out comparison\n  squall bench reduce squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab\n\n\
                        Exit codes: 0 compared, 10 a contradiction was found, 3 stopped before the end (what was measured is written), \
                        2 usage, 1 failure."
)]
pub struct Args {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(clap::Subcommand)]
enum Bench {
    /// Compare who finds satisfying assignments, as the JFS paper does, with any contenders on any files.
    Fp(FpArgs),
    /// Compare what two ways of reducing leave of a finding, in the measures of the STORM paper's Table 4.
    Reduce(ReduceArgs),
}

/// The contenders and conditions of a comparison.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall bench fp problems/\n  squall bench fp problems/ --with search --with search:random --with z3@4.15.4 --runs 5\n  \
                  squall bench fp problems/QF_FP --with search --with 'strategy:(par-or search (solver z3))' --with z3 --timeout 10s\n\n\
                  The manifest.tsv (file, suite, expected answer, published results) of a file's folder, or of one around it, says \
                  what is known of it; else its :status counts. An answer that the truth contradicts is wrong: a column of its own, \
                  and one off the score. Files come in turns, each contender on each, so that a change in the machine's load meets \
                  all. Every sat is checked by the evaluator.\n\n\
                  Exit codes: 0 compared, 10 a contradiction was found, 3 stopped before the end (what was measured is written), \
                  2 usage, 1 failure."
)]
struct FpArgs {
    /// Files and folders of problems with one check each.
    #[arg(required = true, value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Who is compared: search or search:WAY, strategy:S or a solver (z3@4.15.4), several times. Without it all ways of search, and z3
    /// and bitwuzla where they are installed.
    #[arg(long = "with", value_name = "NAME")]
    with: Vec<String>,
    /// How long each run may take.
    #[arg(long, short, value_name = "TIME", default_value = "20s", value_parser = units::time)]
    timeout: Duration,
    /// Runs a file, each with another seed.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Runs a file for those that did not answer it in the first; as many as --runs by default. A contender that does not answer a file
    /// in the first run is not asked to spend the whole limit on it again and again.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs_unsolved: Option<u32>,
    /// Take only every N-th file.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// The seed of the first run.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How much memory each process may use.
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = units::size)]
    memory: u64,
    /// Folder for index.html, samples.csv, scores.csv and pairs.csv.
    #[arg(long, short, value_name = "DIR", default_value = "comparison")]
    out: PathBuf,
}

impl FpArgs {
    /// How often everybody runs on a file.
    fn repeats(&self) -> RunsPerFile {
        RunsPerFile { solved: self.runs, unsolved: self.runs_unsolved.unwrap_or(self.runs).min(self.runs) }
    }
}

/// Runs the subcommand.
///
/// # Errors
/// A contender or file that does not exist, or a folder that cannot be written.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.bench {
        Bench::Fp(args) => compare(&args),
        Bench::Reduce(args) => reduction::run(&args),
    }
}

fn compare(args: &FpArgs) -> Result<ExitCode> {
    let cancel = CancelToken::new();
    let conditions = Conditions {
        program: std::env::current_exe().context("cannot find this program's own path")?,
        timeout: args.timeout,
        cancel: cancel.clone(),
        memory: args.memory,
    };
    let contenders = contenders(args, &cancel)?;
    let mut files = files::named_scripts(&args.paths)?;
    let mut problems = Vec::new();
    let manifest = SuiteManifest::read(&files)?;
    for path in files.drain(..).step_by(args.every as usize) {
        match BenchProblem::read(&path, &manifest)? {
            Ok(problem) => problems.push(problem),
            Err(reason) => eprintln!("squall: left out: {}: {reason}", path.display()),
        }
    }
    if problems.is_empty() {
        bail!("none of the files is a problem to compare on");
    }
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let stop = cancel.clone();
    ctrlc::set_handler(move || stop.cancel()).context("cannot watch for interruptions")?;
    let results = measure(args, &contenders, problems, &conditions)?;
    let contradictions = results.contradictions();
    page::write(&args.out, &results, &manifest, args.repeats())?;
    print!("{}", page::text(&results, &manifest));
    println!("{}", args.out.join("index.html").display());
    for one in &contradictions {
        eprintln!("squall: CONTRADICTION: {}: {}", one.file, one.what);
    }
    Ok(ExitCode::from(match (cancel.is_cancelled(), contradictions.is_empty()) {
        (_, false) => exit::FOUND,
        (true, true) => exit::UNFINISHED,
        (false, true) => exit::CLEAN,
    }))
}

/// Who is compared.
fn contenders(args: &FpArgs, cancel: &CancelToken) -> Result<Vec<Contender>> {
    let fleet = Fleet::of_user()?;
    if !args.with.is_empty() {
        let named = |name: &String| Contender::of(name, &fleet, cancel).map_err(as_usage);
        return args.with.iter().map(named).collect();
    }
    let mut all = Vec::new();
    for (_, way, _) in StrategyChoice::ALL {
        all.push(Contender::of(&format!("search:{way}"), &fleet, cancel)?);
    }
    for solver in ["z3", "bitwuzla"] {
        match Contender::of(solver, &fleet, cancel) {
            Ok(contender) => all.push(contender),
            Err(error) => eprintln!("squall: left out: {solver}: {error}"),
        }
    }
    Ok(all)
}

/// All runs of all contenders on all files. An interruption ends it between two runs; files not begun are left out.
fn measure(
    args: &FpArgs,
    contenders: &[Contender],
    problems: Vec<BenchProblem>,
    conditions: &Conditions,
) -> Result<BenchSamples> {
    let mut samples: Vec<Vec<Vec<Sample>>> = vec![vec![Vec::new(); contenders.len()]; problems.len()];
    let total = problems.len() * args.runs as usize;
    let repeats = args.repeats();
    let line = ProgressLine::steps("comparing", total as u64);
    'all: for run in 0..args.runs {
        for (p, problem) in problems.iter().enumerate() {
            let mut words = Vec::with_capacity(contenders.len());
            for (c, contender) in contenders.iter().enumerate() {
                if conditions.cancel.is_cancelled() {
                    break 'all;
                }
                if !repeats.is_due(run, &samples[p][c], args.timeout.as_secs_f64()) {
                    continue;
                }
                line.begins(&format!("{} on {}", contender.name, problem.name));
                let sample = contender.run(problem, args.seed.wrapping_add(run.into()), conditions)?;
                words.push(format!("{} {}", sample.answer.word(), units::time_text(sample.wall)));
                if !conditions.cancel.is_cancelled() {
                    samples[p][c].push(sample);
                }
            }
            let done = run as usize * problems.len() + p + 1;
            eprintln!("{done}/{total} {}: {}", problem.name, words.join(", "));
            line.advance(1);
        }
    }
    // A file that some contenders have not run on compares nothing.
    let complete: Vec<bool> = samples.iter().map(|s| s.iter().all(|runs| !runs.is_empty())).collect();
    let mut keep = complete.iter();
    samples.retain(|_| *keep.next().unwrap_or(&false));
    let mut keep = complete.iter();
    let problems = problems.into_iter().filter(|_| *keep.next().unwrap_or(&false)).collect();
    let names = contenders.iter().map(|c| c.name.clone()).collect();
    Ok(BenchSamples { names, problems, samples, timeout: args.timeout.as_secs_f64() })
}

/// A name that cannot be understood is a mistake of the command line.
fn as_usage(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<UnknownContender>() {
        Ok(unknown) => crate::render::say::Usage(unknown.0).into(),
        Err(error) => error,
    }
}
