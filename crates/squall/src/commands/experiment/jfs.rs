//! `squall experiment jfs`: compares solvers and searches for satisfying assignments, as in the evaluation of the JFS paper.

use super::{jfs_page, runs};
use crate::args::units;
use crate::exit::Exit;
use crate::interruption;
use crate::render::progress::ProgressLine;
use crate::render::say::{Usage, counted};
use ::experiment::contender::{Conditions, Contender, Sample, UnknownContender};
use ::experiment::journal::Journal;
use ::experiment::portfolio;
use ::experiment::problem::{BenchProblem, PruneReason, SuiteManifest, prune_reason};
use ::experiment::results::{BenchSamples, RunsCombined, RunsPerFile};
use ::experiment::sampling::{self, SampleStrata};
use ::search::StrategyChoice;
use ::solver::install::Fleet;
use ::solver::process::CancelToken;
use anyhow::{Context, Result};
use files::digest::{sha256, sha256_of_file};
use std::path::PathBuf;
use std::time::Duration;

/// The logics of the paper. Without files, their embedded seeds are used.
const LOGICS: [&str; 3] = ["QF_FP", "QF_BVFP", "QF_BV"];

/// The contenders and conditions of a comparison.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall experiment jfs --quick\n  squall experiment jfs problems/ --prune --sample 40\n  \
                  squall experiment jfs problems/ --with search --with search:random --with z3@4.15.4 --runs 5\n  \
                  squall experiment jfs problems/ --with search:coverage:2 --with search:coverage:20 --with search:coverage\n  \
                  squall experiment jfs problems/QF_FP --with search --with 'strategy:(par-or search (solver z3))' --with z3 --timeout 10s\n\n\
                  The manifest.tsv (file, suite, expected answer, published results) in a file's folder, or in one around it, gives \
                  the right answer; otherwise its :status counts. A wrong answer has its own column, and lowers the score by one. \
                  All contenders run on a file before the next one, so that changes in the machine's load affect all of them. \
                  The evaluator checks every sat.\n\n\
                  Exit codes: 0 compared, 10 a contradiction was found, 3 stopped before the end (complete results are written; the \
                  same command resumes), 2 usage, 1 failure."
)]
pub struct JfsArgs {
    /// Files and folders of problems with one check each [default: the embedded seeds of QF_FP, QF_BVFP and QF_BV].
    #[arg(value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// A contender: search, search:WAY, search:WAY:SEEDS (SEEDS sets --smart-seeds), strategy:S or a solver (z3@4.15.4). May be repeated;
    /// the first is compared with all others [default: all ways of search, and z3 and bitwuzla if installed].
    #[arg(long = "with", value_name = "NAME")]
    with: Vec<String>,
    /// A contender computed from others: on each file, the first of them to answer counts. May be repeated [default: the first search
    /// with the first solver].
    #[arg(long, value_name = "NAME,NAME…")]
    portfolio: Vec<String>,
    /// Time limit of each run [default: 20s, with --quick 1s].
    #[arg(long, short, value_name = "TIME", value_parser = units::time)]
    timeout: Option<Duration>,
    /// Runs per file, each with another seed [default: 3, with --quick 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: Option<u32>,
    /// Runs per file for contenders that did not answer it in the first run, to avoid spending the whole limit again and again
    /// [default: --runs].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs_unsolved: Option<u32>,
    /// When a file counts as solved: `any` if one run solves it, as in the paper; `most` if more than half of the runs do.
    #[arg(long, value_name = "RULE", default_value_t)]
    combine: RunsCombined,
    /// Take only every N-th file.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Exclude files that the paper excludes: those known to be unsat, and those that simplification decides. Implied by --quick.
    #[arg(long)]
    prune: bool,
    /// Take a stratified sample of N files.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// The strata: suite and known answer, or suite and published time.
    #[arg(long, value_name = "answer|time", default_value_t, requires = "sample")]
    sample_by: SampleStrata,
    /// The seed of the first run, and of the sample.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Memory limit of each process.
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = units::size)]
    memory: u64,
    /// Smaller amounts: first results within two minutes.
    #[arg(long)]
    quick: bool,
    /// Folder for index.html, figures.md, samples.csv, scores.csv, pairs.csv and the runs. The same command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = "comparison")]
    out: PathBuf,
}

impl JfsArgs {
    /// The number of runs of a contender on a file.
    fn repeats(&self) -> RunsPerFile {
        let runs = self.runs.unwrap_or(if self.quick { 1 } else { 3 });
        RunsPerFile { solved: runs, unsolved: self.runs_unsolved.unwrap_or(runs).min(runs) }
    }

    fn limit(&self) -> Duration {
        self.timeout.unwrap_or(Duration::from_secs(if self.quick { 1 } else { 20 }))
    }
}

/// Runs the subcommand.
///
/// # Errors
/// A contender or file does not exist, or a folder cannot be written.
pub fn run(args: &JfsArgs) -> Result<Exit> {
    let cancel = interruption::token()?;
    let conditions = Conditions {
        program: std::env::current_exe().context("cannot find this program's own path")?,
        timeout: args.limit(),
        cancel: cancel.clone(),
        memory: args.memory,
    };
    let contenders = contenders(args, &cancel)?;
    let portfolios = portfolios(args, &contenders)?;
    let selection = selected(args)?;
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let mut results = measure(args, &contenders, selection.problems, &conditions)?;
    for members in &portfolios {
        portfolio::add(&mut results, members);
    }
    let contradictions = results.contradictions();
    let comparison = jfs_page::SatComparison {
        results: &results,
        manifest: &selection.manifest,
        repeats: args.repeats(),
        selection: &selection.words,
    };
    jfs_page::publish(&args.out, &comparison)?;
    for one in &contradictions {
        eprintln!("squall: CONTRADICTION: {}: {}", one.file, one.what);
    }
    Ok(match (cancel.is_cancelled(), contradictions.is_empty()) {
        (_, false) => Exit::Found,
        (true, true) => Exit::Unfinished,
        (false, true) => Exit::Clean,
    })
}

/// The compared files.
struct SelectedProblems {
    problems: Vec<BenchProblem>,
    manifest: SuiteManifest,
    /// Sentences about excluded files.
    words: Vec<String>,
}

/// Reads the files and selects those to compare on.
fn selected(args: &JfsArgs) -> Result<SelectedProblems> {
    let files = match args.paths.as_slice() {
        [] => runs::seeds_of_logics(&LOGICS, &args.out)?,
        paths => files::named_scripts(paths)?,
    };
    let manifest = SuiteManifest::read(&files)?;
    let (mut problems, mut words) = (Vec::new(), Vec::new());
    for path in files.into_iter().step_by(args.every as usize) {
        match BenchProblem::read(&path, &manifest)? {
            Ok(problem) => problems.push(problem),
            Err(reason) => eprintln!("squall: left out: {}: {reason}", path.display()),
        }
    }
    if args.prune || args.quick {
        let before = problems.len();
        let (mut unsat, mut trivial) = (0, 0);
        problems.retain(|problem| match prune_reason(problem) {
            Some(PruneReason::Unsat) => {
                unsat += 1;
                false
            }
            Some(PruneReason::Trivial) => {
                trivial += 1;
                false
            }
            None => true,
        });
        words.push(format!(
            "Of {} {unsat} known to be unsat and {trivial} that simplification decides were left out",
            counted(before, "file")
        ));
    }
    if let Some(count) = args.sample {
        let before = problems.len();
        let wanted = (args.sample_by, count as usize);
        problems = sampling::sample(problems, &manifest, wanted, args.seed).map_err(Usage)?;
        words.push(format!(
            "Of {} a sample of {}, stratified by suite and {}, seed {}",
            counted(before, "file"),
            problems.len(),
            if args.sample_by == SampleStrata::Time { "published time" } else { "known answer" },
            args.seed
        ));
    }
    for sentence in &words {
        eprintln!("squall: {sentence}");
    }
    if problems.is_empty() {
        usage!("none of the files is worth comparing on");
    }
    Ok(SelectedProblems { problems, manifest, words })
}

/// Returns the contenders.
fn contenders(args: &JfsArgs, cancel: &CancelToken) -> Result<Vec<Contender>> {
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

/// Returns the portfolios, as numbers of contenders.
fn portfolios(args: &JfsArgs, contenders: &[Contender]) -> Result<Vec<Vec<usize>>> {
    if args.portfolio.is_empty() {
        let search = contenders.iter().position(Contender::is_search);
        let solver = contenders.iter().position(Contender::is_solver);
        return Ok(search.zip(solver).map(|(search, solver)| vec![search, solver]).into_iter().collect());
    }
    let mut all = Vec::new();
    for words in &args.portfolio {
        let mut members = Vec::new();
        for name in words.split(',') {
            let Some(member) = contenders.iter().position(|contender| contender.name == name) else {
                let known: Vec<&str> = contenders.iter().map(|contender| contender.name.as_str()).collect();
                usage!("--portfolio {words}: '{name}' is not a contender; there are: {}", known.join(", "));
            };
            members.push(member);
        }
        if members.len() < 2 {
            usage!("--portfolio {words}: name at least two, as in --portfolio search,z3");
        }
        all.push(members);
    }
    Ok(all)
}

/// Does all runs of all contenders on all files, except those kept from an earlier command. Interruptions take effect between two runs;
/// files that lack a contender's run are left out.
fn measure(
    args: &JfsArgs,
    contenders: &[Contender],
    problems: Vec<BenchProblem>,
    conditions: &Conditions,
) -> Result<BenchSamples> {
    let mut samples: Vec<Vec<Vec<Sample>>> = vec![vec![Vec::new(); contenders.len()]; problems.len()];
    let repeats = args.repeats();
    let limit = conditions.timeout.as_secs_f64();
    let total = problems.len() * repeats.solved as usize;
    let kept = Journal::open(&args.out.join("runs"))?;
    // This program contains the searches.
    let program = sha256_of_file(&conditions.program).context("cannot read this program")?;
    let line = ProgressLine::steps("comparing", total as u64);
    'all: for run in 0..repeats.solved {
        for (p, problem) in problems.iter().enumerate() {
            let seed = args.seed.wrapping_add(run.into());
            let limits = format!("{:?} {}", conditions.timeout, conditions.memory);
            let under = format!("{program} {limits} {run} {seed} {}", sha256(&problem.text));
            let mut words = Vec::with_capacity(contenders.len());
            for (c, contender) in contenders.iter().enumerate() {
                if conditions.cancel.is_cancelled() {
                    break 'all;
                }
                if !repeats.is_due(run, &samples[p][c], limit) {
                    continue;
                }
                let key = contender.identity().map(|who| format!("{who} {under}"));
                if let Some(sample) = key.as_ref().and_then(|key| kept.get(key)) {
                    samples[p][c].push(sample);
                    continue;
                }
                line.begins(&format!("{} on {}", contender.name, problem.name));
                let sample = contender.run(problem, seed, conditions)?;
                words.push(format!("{} {}", sample.answer.word(), units::time_text(sample.wall)));
                if !conditions.cancel.is_cancelled() {
                    key.map_or(Ok(()), |key| kept.keep(key, &sample))?;
                    samples[p][c].push(sample);
                }
            }
            let done = run as usize * problems.len() + p + 1;
            if !words.is_empty() {
                eprintln!("{done}/{total} {}: {}", problem.name, words.join(", "));
            }
            line.advance(1);
        }
    }
    // Only files with runs of all contenders can be compared on.
    let complete: Vec<bool> = samples.iter().map(|s| s.iter().all(|runs| !runs.is_empty())).collect();
    let mut keep = complete.iter();
    samples.retain(|_| *keep.next().unwrap_or(&false));
    let mut keep = complete.iter();
    let problems = problems.into_iter().filter(|_| *keep.next().unwrap_or(&false)).collect();
    let names: Vec<String> = contenders.iter().map(|c| c.name.clone()).collect();
    let measured = names.len();
    Ok(BenchSamples { names, measured, problems, samples, timeout: limit, combined: args.combine })
}

/// Reports an unknown name as a mistake in the command line.
fn as_usage(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<UnknownContender>() {
        Ok(unknown) => Usage(unknown.0).into(),
        Err(error) => error,
    }
}
