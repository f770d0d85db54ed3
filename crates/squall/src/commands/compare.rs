//! `squall compare`: compares solvers, strategies and searches on files: answers, who is wrong, times and memory.

mod chart;
mod page;

use crate::args::format::OutputFormat;
use crate::args::units;
use crate::commands::experiment::runs;
use crate::exit::Exit;
use crate::interruption;
use crate::render::progress::ProgressLine;
use crate::render::say::{Usage, counted};
use ::experiment::contender::{Conditions, Contender, Sample, UnknownContender};
use ::experiment::journal::Journal;
use ::experiment::problem::{BenchProblem, SuiteManifest};
use ::experiment::results::BenchSamples;
use ::solver::install::Fleet;
use ::solver::process::CancelToken;
use anyhow::{Context, Result};
use files::digest::{sha256, sha256_of_file};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The contenders without `--solver`: those of these solvers that are installed.
pub const SOLVERS: [&str; 4] = ["z3", "cvc5", "bitwuzla", "yices2"];

/// Compare solvers on files: answers, who is wrong, times and memory.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall compare problems/\n  squall compare problems/ --solver z3@5.4.1 --solver z3@4.15.4 --solver cvc5 --timeout 10s\n  \
                  squall compare problems/QF_FP --solver search --solver 'strategy:(par-or search (solver z3))' --solver z3\n\n\
                  Disagreements come first, with the right answer where the evaluator proves it. The right answer of a file is otherwise that \
                  of the manifest.tsv (file, suite, expected answer, published results) in its folder or a parent, or its :status. \
                  All contenders run on a file before the next one, so that changes in the machine's load affect all of them. \
                  A second run, not timed, gives the model of each sat; the evaluator checks it.\n\n\
                  Exit codes: 0 compared, 10 contenders disagree or are wrong, or a :status is, 3 stopped before the end (complete results are written; \
                  the same command resumes), 2 usage, 1 failure."
)]
pub struct Args {
    /// Files and folders of problems.
    #[arg(required = true, value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// A contender: a solver (z3@4.15.4), strategy:S, search or search:WAY. May be repeated; the first is compared with all
    /// others [default: those of z3, cvc5, bitwuzla and yices2 that are installed].
    #[arg(long, short, value_name = "NAME")]
    solver: Vec<String>,
    /// Time limit of each run.
    #[arg(long, short, value_name = "TIME", default_value = "24s", value_parser = units::time)]
    timeout: Duration,
    /// Runs per file, each with its own seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// The seed of the first run.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    processes: ProcessArgs,
    /// The output: text, or one JSON object: the disagreements and the scores.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Folder for index.html, figures.md, results.json, samples.csv, scores.csv, pairs.csv and the runs. The same command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = "comparison")]
    out: PathBuf,
}

/// Options for the processes of a measurement.
#[derive(clap::Args)]
pub struct ProcessArgs {
    /// Memory limit of each process.
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = units::size)]
    memory: u64,
    /// Files at a time. More than one makes times less exact.
    #[arg(long, short, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
}

impl ProcessArgs {
    /// Returns the conditions of each run.
    /// Errors: this program does not know its own path.
    pub fn conditions(&self, timeout: Duration, cancel: &CancelToken) -> Result<Conditions> {
        let program = std::env::current_exe().context("cannot find this program's own path")?;
        Ok(Conditions { program, timeout, cancel: cancel.clone(), memory: self.memory })
    }
}

/// Runs the subcommand.
/// Errors: a contender or file does not exist, or a folder cannot be written.
pub fn run(args: &Args) -> Result<Exit> {
    let cancel = interruption::token()?;
    let conditions = args.processes.conditions(args.timeout, &cancel)?;
    let contenders = contenders(args, &cancel)?;
    let (problems, manifest) = problems(&args.paths)?;
    if problems.is_empty() {
        usage!("none of the files can be compared on");
    }
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let measurement = Measurement {
        contenders: &contenders,
        conditions: &conditions,
        runs: args.runs,
        seed: args.seed,
        jobs: args.processes.jobs,
        out: &args.out,
        budget: None,
    };
    let count = problems.len();
    let mut results = measurement.measure(problems)?;
    let missing = count - results.problems.len();
    if missing > 0 {
        eprintln!("squall: stopped before {} of {}; the same command resumes", counted(missing, "file"), count);
    }
    results.settle(&cancel);
    let disagreements = results.disagreements();
    let comparison = page::FolderComparison {
        results: &results,
        manifest: &manifest,
        runs: args.runs,
        disagreements: &disagreements,
    };
    page::publish(&args.out, &comparison, args.format)?;
    Ok(match (cancel.is_cancelled(), disagreements.is_empty()) {
        (_, false) => Exit::Found,
        (true, true) => Exit::Unfinished,
        (false, true) => Exit::Clean,
    })
}

/// Reads files and their manifest. Names those that cannot be measured on.
/// Errors: a path does not exist, or a manifest has errors.
pub fn problems(paths: &[PathBuf]) -> Result<(Vec<BenchProblem>, SuiteManifest)> {
    let files = files::named_scripts(paths)?;
    let manifest = SuiteManifest::read(&files)?;
    let mut problems = Vec::new();
    for path in files {
        match BenchProblem::read(&path, &manifest) {
            Ok(Ok(problem)) => problems.push(problem),
            Ok(Err(reason)) => eprintln!("squall: left out: {}: {reason}", path.display()),
            Err(error) => eprintln!("squall: left out: {}: {error:#}", path.display()),
        }
    }
    Ok((problems, manifest))
}

/// Returns the contenders.
fn contenders(args: &Args, cancel: &CancelToken) -> Result<Vec<Contender>> {
    let fleet = Fleet::of_user()?;
    if !args.solver.is_empty() {
        let named = |name: &String| Contender::of(name, &fleet, cancel).map_err(as_usage);
        return args.solver.iter().map(named).collect();
    }
    let installed: Vec<Contender> =
        SOLVERS.into_iter().filter_map(|name| Contender::of(name, &fleet, cancel).ok()).collect();
    if installed.is_empty() {
        usage!("no solver is installed: name contenders by --solver, or install one, as in squall solver install z3");
    }
    Ok(installed)
}

/// A measurement of contenders on files.
pub struct Measurement<'m> {
    /// The contenders.
    pub contenders: &'m [Contender],
    /// The conditions of each run.
    pub conditions: &'m Conditions,
    /// The runs of a contender on a file.
    pub runs: u32,
    /// The seed of the first run.
    pub seed: u64,
    /// Files at a time.
    pub jobs: NonZeroUsize,
    /// The folder in which runs are kept.
    pub out: &'m Path,
    /// The CPU time after which no further file begins, kept runs included.
    pub budget: Option<Duration>,
}

impl Measurement<'_> {
    /// Does all runs of all contenders on all files, except those kept from an earlier command. Interruptions take effect between two
    /// runs; files that lack a contender's run are left out.
    /// Errors: a program cannot be run, or the folder cannot be read or written.
    pub fn measure(&self, problems: Vec<BenchProblem>) -> Result<BenchSamples> {
        let Measurement { contenders, conditions, .. } = *self;
        let mut samples: Vec<Vec<Vec<Sample>>> = vec![vec![Vec::new(); contenders.len()]; problems.len()];
        let kept = Journal::open(self.out)?;
        // The searches are part of this program.
        let program = sha256_of_file(&conditions.program).context("cannot read this program")?;
        let line = ProgressLine::steps("measuring", problems.len() as u64 * u64::from(self.runs));
        let numbers: Vec<usize> = (0..problems.len()).collect();
        let identities: Vec<String> = contenders.iter().map(Contender::identity).collect();
        // Microseconds of CPU time.
        let spent = AtomicU64::new(0);
        let is_spent =
            || self.budget.is_some_and(|budget| u128::from(spent.load(Ordering::Relaxed)) >= budget.as_micros());
        for run in 0..self.runs {
            let seed = self.seed.wrapping_add(run.into());
            let on_file = |&p: &usize| {
                let (problem, mut done) = (&problems[p], Vec::with_capacity(contenders.len()));
                let limits = format!("{:?} {}", conditions.timeout, conditions.memory);
                let under = format!("{program} {limits} {run} {seed} {}", sha256(&problem.text));
                let is_over = is_spent();
                for (contender, who) in contenders.iter().zip(&identities) {
                    let key = format!("{who} {under}");
                    let sample = match kept.get(&key) {
                        None if !is_over && !conditions.cancel.is_cancelled() => {
                            line.begins(&format!("{} on {}", contender.name, problem.name));
                            let sample = contender.run(problem, seed, conditions)?;
                            if conditions.cancel.is_cancelled() {
                                None
                            } else {
                                kept.keep(key, &sample)?;
                                Some(sample)
                            }
                        }
                        sample => sample,
                    };
                    spent.fetch_add(sample.as_ref().map_or(0, |s| (s.cpu * 1e6) as u64), Ordering::Relaxed);
                    done.push(sample);
                }
                line.advance(1);
                Ok(Some((p, done)))
            };
            for (p, done) in runs::in_order(&numbers, self.jobs.get(), &conditions.cancel, on_file)? {
                samples[p].iter_mut().zip(done).for_each(|(all, sample)| all.extend(sample));
            }
        }
        // Only files with runs of all contenders can be compared on.
        let complete: Vec<bool> = samples.iter().map(|s| s.iter().all(|runs| !runs.is_empty())).collect();
        let mut keep = complete.iter();
        samples.retain(|_| *keep.next().unwrap_or(&false));
        let mut keep = complete.iter();
        let problems = problems.into_iter().filter(|_| *keep.next().unwrap_or(&false)).collect();
        let names: Vec<String> = contenders.iter().map(|c| c.name.clone()).collect();
        Ok(BenchSamples { names, problems, samples, timeout: conditions.timeout.as_secs_f64() })
    }
}

/// Reports an unknown name as a mistake in the command line.
fn as_usage(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<UnknownContender>() {
        Ok(unknown) => Usage(unknown.0).into(),
        Err(error) => error,
    }
}
