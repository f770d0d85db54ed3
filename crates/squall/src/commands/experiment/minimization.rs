//! `squall experiment minimization`: compares our passes and ddSMT 2 on the same wrong `unsat`s.

use super::minimization_page::{self, MinimizationReport};
use super::prepared_bug;
use super::runs::{self, RunArgs};
use crate::args::units;
use crate::exit::Exit;
use crate::interruption;
use crate::render::progress::ProgressLine;
use ::experiment::reductions::corpus::{self, CorpusCampaign};
use ::experiment::reductions::run::{ComparedReducer, ReductionFile, ReductionJob, ReductionRun};
use ::finding::Finding;
use ::solver::install::Fleet;
use ::solver::process::CancelToken;
use ::solver::sources::path::SearchPath;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use oracle::replay;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A seed whose mutants show a wrong `unsat` of the usual solver within a second.
const QUICK_SEED: &str = "embedded:QF_LIA/pipeline_capacity.smt2";
/// The message with the installation of ddSMT.
const INSTALL: &str = "ddsmt is not installed: pip install ddsmt";

/// The files, the reducers, and the conditions.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall experiment minimization --quick\n  \
                  squall experiment minimization squall-out --ddsmt venv/bin/ddsmt --for-cpu 60s\n  \
                  squall experiment minimization found/ --out found-reduced\n  \
                  squall experiment minimization a.smt2 b.smt2 --solver z3@4.8.7 --trust z3@4.15.4\n\n\
                  This is research question 4 of STORM (ESEC/FSE 2020). Both use one oracle: the solver must still answer unsat, and \
                  the script must be satisfiable by its witness or by a model of the trusted solver that the evaluator certifies. For \
                  ddSMT, the oracle is the check `squall experiment judge`.\n\n\
                  Exit codes: 0 done, 3 stopped before the end (complete results are written; the same command resumes), 2 usage, \
                  1 failure.")]
pub struct MinimizationArgs {
    /// Findings' folders, folders with findings, and scripts, of wrong `unsat`s; without any, those of a campaign on the embedded seeds.
    #[arg(value_name = "FINDING|FOLDER|FILE")]
    paths: Vec<PathBuf>,
    /// The solver with wrong answers to scripts, which the campaign tests.
    #[arg(long, short, value_name = "SOLVER", default_value = "z3@4.8.7")]
    solver: SolverSpec,
    /// A solver whose models may prove that a script is satisfiable. May be repeated.
    #[arg(long, value_name = "SOLVER", default_value = "z3@4.15.4")]
    trust: Vec<SolverSpec>,
    /// The program ddSMT 2 [default: ddsmt in PATH; the results say if it is missing].
    #[arg(long, value_name = "PROGRAM")]
    ddsmt: Option<PathBuf>,
    /// The maximum number of findings from a folder or the campaign; the largest of each seed and mode come first
    /// [default: 6, with --quick 1].
    #[arg(long, value_name = "N")]
    files: Option<NonZeroUsize>,
    /// The CPU time of the campaign that makes the files [default: 120s, with --quick 4s on one seed].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    make_for: Option<Duration>,
    /// Runs of each reducer on each file [default: 8, with --quick 2].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=50))]
    runs: Option<u64>,
    /// The CPU time of a run, including solvers; the best result by then counts [default: 60s, with --quick 10s].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    for_cpu: Option<Duration>,
    #[command(flatten)]
    repeated: RunArgs,
    /// Folder for index.html, runs.csv, figures.md, results.json, the files and the runs. The same command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = "minimization")]
    out: PathBuf,
}

impl MinimizationArgs {
    /// Returns the reducers, and why one of them is left out.
    fn reducers(&self) -> Result<(Vec<ComparedReducer>, Option<String>)> {
        let mut reducers = vec![ComparedReducer::Passes];
        let program = match &self.ddsmt {
            Some(path) if !path.exists() => usage!("--ddsmt: there is no '{}'", path.display()),
            Some(path) => Some(std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))?),
            None => SearchPath::of_environment().program("ddsmt"),
        };
        let missing = program.is_none().then(|| INSTALL.to_string());
        reducers.extend(program.map(ComparedReducer::Ddsmt));
        Ok((reducers, missing))
    }

    /// Returns the files; `None` if the campaign that makes them was cancelled.
    fn files(&self, out: &Path, program: &Path, cancel: &CancelToken) -> Result<Option<Vec<ReductionFile>>> {
        prepared_bug::existing(&self.paths)?;
        let most = self.files.map_or(if self.repeated.quick { 1 } else { 6 }, NonZeroUsize::get);
        let trust: Vec<String> = self.trust.iter().map(SolverSpec::to_string).collect();
        let solver = self.solver.to_string();
        let mut paths = self.paths.clone();
        if paths.is_empty() {
            let seeds: Vec<PathBuf> = match self.repeated.quick {
                true => vec![runs::seed_on_disk(Path::new(QUICK_SEED), out)?],
                false => Vec::new(),
            };
            let folder = out.join("campaign");
            let campaign = CorpusCampaign {
                solver: &solver,
                seeds: &seeds,
                seed: self.repeated.seed,
                cpu: self.make_for.unwrap_or(Duration::from_secs(if self.repeated.quick { 4 } else { 120 })),
                folder: &folder,
                program,
                cancel,
            };
            eprintln!("making files for {} of CPU time", units::time_text(campaign.cpu.as_secs_f64()));
            if !campaign.run()? {
                return Ok(None);
            }
            paths.push(folder);
        }
        let fleet = Fleet::of_user()?;
        let is_here = |finding: &Finding| {
            replay::recorded_solver(&finding.solver, &fleet).is_ok_and(|spec| fleet.resolve(&spec).is_ok())
        };
        let (mut files, mut absent) = (Vec::new(), 0);
        for path in &paths {
            // Runs have their own folders.
            let path = std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))?;
            if path.is_dir() {
                let (some, others) = corpus::of_folder(&path, most, &trust, is_here)?;
                files.extend(some);
                absent += others;
            } else {
                files.push(corpus::of_script(&path, &solver, &trust)?);
            }
        }
        if absent > 0 {
            eprintln!("squall: left out: {absent} of solvers that are not installed");
        }
        if files.is_empty() {
            usage!(
                "there is no wrong unsat of an installed solver to reduce; name other files, or give --make-for more time"
            );
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = files.iter().find(|file| !names.insert(file.name.clone())) {
            usage!("two of the files are named {}", twice.name);
        }
        Ok(Some(files))
    }
}

/// A run of a reducer on a file.
struct PlannedReduction<'a> {
    file: &'a ReductionFile,
    reducer: &'a ComparedReducer,
    seed: u64,
}

/// Runs the subcommand.
/// Errors: a file or solver is missing, a reducer fails, or a folder cannot be written.
pub fn run(args: MinimizationArgs) -> Result<Exit> {
    let (reducers, missing) = args.reducers()?;
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let out = args.out.canonicalize().with_context(|| format!("cannot find {}", args.out.display()))?;
    let cancel = interruption::token()?;
    let program = std::env::current_exe().context("cannot find this program's own path")?;
    let fleet = Fleet::of_user()?;
    for spec in std::iter::once(&args.solver).chain(&args.trust) {
        fleet.ensure(spec, &mut crate::commands::solver::say).with_context(|| format!("cannot get {spec}"))?;
    }
    if let Some(reason) = &missing {
        eprintln!("squall: {reason}");
    }
    let Some(files) = args.files(&out, &program, &cancel)? else { return Ok(runs::ending(0, 1, "campaign")) };
    let (runs, cpu) = if args.repeated.quick { (2, 10) } else { (8, 60) };
    let (runs, cpu) = (args.runs.unwrap_or(runs), args.for_cpu.unwrap_or(Duration::from_secs(cpu)));
    let mut work = Vec::new();
    // Reducers alternate on each file, so that other load on the machine affects all of them.
    for seed in args.repeated.seeds(runs) {
        for file in &files {
            work.extend(reducers.iter().map(|reducer| PlannedReduction { file, reducer, seed }));
        }
    }
    let line = ProgressLine::steps("reductions", work.len() as u64);
    let jobs = args.repeated.jobs();
    let finished = runs::in_order(&work, jobs, &cancel, |one| {
        let name = format!("{}-{}-{}", one.file.name, one.reducer.word(), one.seed);
        line.begins(&name);
        let folder = out.join("runs").join(&name);
        let PlannedReduction { file, reducer, seed } = *one;
        let job = ReductionJob { file, reducer, seed, cpu, folder: &folder, program: &program, cancel: &cancel };
        let outcome = job.run()?;
        if let Some(run) = &outcome {
            eprintln!("{name}: {}", message(run));
            line.advance(1);
        }
        Ok(outcome)
    })?;
    let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let words: Vec<&str> = reducers.iter().map(ComparedReducer::word).collect();
    let report = MinimizationReport::new(&names, &words, &finished, cpu, missing);
    minimization_page::publish(&args.out, &report, &finished)?;
    Ok(runs::ending(finished.len(), work.len(), "reduction"))
}

fn message(run: &ReductionRun) -> String {
    let stopped = if run.finished { "" } else { ", stopped" };
    let lost = if run.holds { "" } else { ", and the error is LOST" };
    let (before, after, cpu) = (run.before.bytes, run.after.bytes, units::time_text(run.cpu_s));
    format!("{before} to {after} bytes in {cpu} of CPU time{stopped}{lost}")
}
