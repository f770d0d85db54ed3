//! `squall corpus`: named corpora of seeds, made from folders of SMT-LIB files.

mod distill;

use crate::args::format::RowFormat;
use crate::args::units;
use crate::commands::solver;
use crate::exit::Exit;
use crate::render::say::{Usage, counted};
use ::solver::cache::SolverCache;
use ::solver::doctor;
use ::solver::install::Fleet;
use ::solver::process::{ProcessLimits, processors};
use ::solver::session::Solver;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use clap::Subcommand;
use corpus::seed;
use corpus::stored::{AddedCounts, AdditionPlan, Clock, Corpora, CorpusManifest, DEFAULT_NAME};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Duration;
use triage::folder::{CampaignFindings, Triaged};

/// Keep corpora of seeds (SMT-LIB files without duplicates, balanced by logic), and make regression suites.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall corpus add benchmarks/QF_FP benchmarks/QF_BV\n  \
    squall corpus add z3test/regressions --name regressions --solver z3@latest\n  \
    squall corpus list\n  \
    squall fuzz --solver z3@4.8.7 --corpus regressions --logic QF_FP\n\n\
    Exit codes: 0 done, 1 failure, 2 usage, 11 nothing could be kept.")]
pub struct Args {
    #[command(subcommand)]
    action: CorpusAction,
}

#[derive(Subcommand)]
enum CorpusAction {
    /// Add folders or files to a new or existing corpus.
    Add(Box<AddArgs>),
    /// List the corpora, or the logics of one.
    List {
        /// The corpus whose logics are listed.
        #[arg(value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        print: RowFormat,
    },
    /// Make a regression suite of findings: one small script per cause, with its right answers.
    Distill(distill::Args),
    /// Remove a corpus.
    Remove {
        /// Its name.
        #[arg(value_name = "NAME")]
        name: String,
    },
}

#[derive(clap::Args)]
struct AddArgs {
    /// Files, and folders searched for .smt2 files.
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,
    /// The name of the corpus.
    #[arg(long, value_name = "NAME", default_value = DEFAULT_NAME)]
    name: String,
    /// Logics, separated by commas: take only files that set one of them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    logic: Vec<String>,
    /// The maximum number of seeds per logic.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    per_logic: u32,
    /// The maximum size of a file: mutants of larger ones are slow.
    #[arg(long, value_name = "SIZE", default_value = "64KiB", value_parser = units::file_size)]
    max_size: u64,
    /// A solver that must answer a seed within --timeout, or the seed is dropped; its answers are recorded.
    #[arg(long, short, value_name = "SOLVER")]
    solver: Option<SolverSpec>,
    /// The solver's time limit per seed.
    #[arg(long, short, value_name = "TIME", default_value = "1s", value_parser = units::time)]
    timeout: Duration,
    /// A campaign's folder: seeds that led to causes there are chosen first. May be repeated.
    #[arg(long, value_name = "OUT")]
    found: Vec<PathBuf>,
    /// Number of threads that read files [default: one per processor].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

/// Runs the subcommand.
/// Errors: a folder that cannot be read, a corpus that is missing or cannot be written, or a solver that is not available.
pub fn run(args: Args) -> Result<Exit> {
    match args.action {
        CorpusAction::Add(args) => add(&of_user()?, &args),
        CorpusAction::Distill(args) => distill::run(args),
        CorpusAction::List { name: Some(name), print } => list_logics(&of_user()?, &name, print),
        CorpusAction::List { name: None, print } => list(&of_user()?, print),
        CorpusAction::Remove { name } => {
            let removed = of_user()?.remove(&name)?;
            println!("removed {}", removed.folder.display());
            Ok(Exit::Clean)
        }
    }
}

/// Returns the corpora of the user, next to the installed solvers.
/// Errors: no environment variable gives the place.
pub fn of_user() -> Result<Corpora> {
    Ok(Corpora::at(SolverCache::of_user()?.sibling("corpora")))
}

fn add(corpora: &Corpora, args: &AddArgs) -> Result<Exit> {
    let corpus = corpora.named(&args.name)?;
    let sources = seed::of_logics(seed::collect(&args.folders)?, &args.logic)?;
    let solver = args.solver.as_ref().map(ready).transpose()?;
    let clock = solver.as_ref().map(|(label, solver)| Clock {
        label: label.clone(),
        solver,
        limits: ProcessLimits { wall: args.timeout, ..ProcessLimits::default() },
    });
    let plan = AdditionPlan {
        sources,
        per_logic: args.per_logic as usize,
        max_bytes: args.max_size,
        causes: causes(&args.found)?,
        clock,
        jobs: args.jobs.map_or_else(processors, usize::from),
    };
    let counts = corpus.add(&plan)?;
    let kept: usize = counts.kept.values().map(|(kept, _)| kept).sum();
    say(&counts);
    if kept == 0 {
        println!("nothing could be kept");
        return Ok(Exit::Unknown);
    }
    println!("{} in {}", counted(kept, "seed"), corpus.folder.display());
    println!("squall fuzz --solver SOLVER --corpus {}", corpus.name);
    Ok(Exit::Clean)
}

/// Returns the solver of a specification, installed if needed.
fn ready(spec: &SolverSpec) -> Result<(String, Solver)> {
    let fleet = Fleet::of_user()?;
    let installed = fleet.ensure(spec, &mut solver::say).with_context(|| format!("cannot get {}", spec.label()))?;
    let solver = fleet.solver(installed);
    doctor::preflight(&solver, &ProcessLimits::default()).map_err(Usage)?;
    Ok((spec.label(), solver))
}

/// Returns the number of causes found with each seed, by the SHA-256 of its bytes.
fn causes(campaigns: &[PathBuf]) -> Result<HashMap<String, u64>> {
    let mut causes: HashMap<String, u64> = HashMap::new();
    for campaign in campaigns {
        let findings = CampaignFindings::load(campaign)?;
        for group in findings.groups() {
            let of_member = |member: &&Triaged| Some(member.finding.seed.as_ref()?.sha256.clone());
            let mut seeds: Vec<String> = group.members.iter().filter_map(of_member).collect();
            seeds.sort_unstable();
            seeds.dedup();
            seeds.into_iter().for_each(|sha256| *causes.entry(sha256).or_default() += 1);
        }
    }
    Ok(causes)
}

/// Prints what happened to the files.
fn say(counts: &AddedCounts) {
    println!("{}", counted(counts.files, "file"));
    let line = |count: usize, what: &str| {
        if count > 0 {
            println!("{count:>8}  {what}");
        }
    };
    line(counts.large, "larger than --max-size");
    let first = |(count, first): &(usize, Option<String>)| match (count, first) {
        (1, Some(first)) => first.clone(),
        (_, first) => format!("the first: {}", first.as_deref().unwrap_or_default()),
    };
    line(counts.unusable.0, &format!("cannot be used; {}", first(&counts.unusable)));
    line(counts.alike, "like a smaller one except for names, literals, widths and repetitions");
    line(
        counts.gated.0,
        &format!("sent to the solver without commands that may write files; {}", first(&counts.gated)),
    );
    line(counts.slow, "not answered by the solver, or not within --timeout");
    let beyond: usize = counts.kept.values().map(|(kept, usable)| usable - kept).sum();
    line(beyond - counts.slow.min(beyond), "beyond --per-logic");
    line(
        counts.contradicted.0,
        &format!("with a :status that differs from the solver's answer; {}", first(&counts.contradicted)),
    );
}

fn list(corpora: &Corpora, print: RowFormat) -> Result<Exit> {
    let all = corpora.list()?;
    if all.is_empty() && !print.is_json() {
        println!("there is no corpus; make one with `squall corpus add FOLDER`");
    }
    for (corpus, manifest) in &all {
        let logics = by_logic(manifest).len();
        let (name, seeds, folder) = (&corpus.name, manifest.seeds.len(), corpus.folder.display().to_string());
        let bytes = manifest.seeds.iter().map(|seed| seed.bytes).sum::<u64>();
        print.row(
            format_args!("{name}: {} in {}, {bytes} bytes, {folder}", counted(seeds, "seed"), counted(logics, "logic")),
            || json!({ "name": name, "seeds": seeds, "logics": logics, "bytes": bytes, "folder": folder }),
        );
    }
    Ok(Exit::Clean)
}

/// The contents of a corpus for one logic.
#[derive(Default)]
struct LogicRow {
    seeds: usize,
    bytes: u64,
    stated: usize,
    causes: u64,
    cpu_s: f64,
}

fn by_logic(manifest: &CorpusManifest) -> BTreeMap<&str, LogicRow> {
    let mut rows: BTreeMap<&str, LogicRow> = BTreeMap::new();
    for seed in &manifest.seeds {
        let row = rows.entry(seed.logic.as_str()).or_default();
        row.seeds += 1;
        row.bytes += seed.bytes;
        row.stated += usize::from(seed.status.iter().any(|status| !status.is_empty()));
        row.causes += seed.causes;
        row.cpu_s += seed.measured.as_ref().map_or(0.0, |measured| measured.cpu_s);
    }
    rows
}

fn list_logics(corpora: &Corpora, name: &str, print: RowFormat) -> Result<Exit> {
    let (_, manifest) = corpora.manifest(name)?;
    if !print.is_json() {
        println!("{:16} {:>6} {:>10} {:>7} {:>7} {:>9}", "logic", "seeds", "bytes", "stated", "causes", "CPU s");
    }
    for (logic, row) in by_logic(&manifest) {
        let shown = if logic.is_empty() { "(none)" } else { logic };
        let LogicRow { seeds, bytes, stated, causes, cpu_s } = row;
        print.row(
            format_args!("{shown:16} {seeds:>6} {bytes:>10} {stated:>7} {causes:>7} {cpu_s:>9.2}"),
            || json!({ "logic": logic, "seeds": seeds, "bytes": bytes, "stated": stated, "causes": causes, "cpu_s": cpu_s }),
        );
    }
    Ok(Exit::Clean)
}
