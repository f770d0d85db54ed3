//! `squall experiment cover`: the coverage of a solver by seeds and mutants, measured with an instrumented build.

mod map;
mod page;

use crate::args::units;
use crate::exit::Exit;
use crate::interruption;
use crate::render::progress::ProgressLine;
use ::experiment::coverage::gains::CoverageGains;
use ::experiment::coverage::mapping::MapPlan;
use ::experiment::coverage::plan::{CoverageArm, CoveragePlan};
use ::experiment::coverage::run::{self, MeasuredBuild};
use ::fuzz::sync::Stops;
use ::fuzz::under_test::{Target, TargetError, TargetOptions};
use ::mutate::choice::{self, MutatorChoice};
use ::mutate::{finite, mutators};
use ::solver::coverage::EDGE_RUNTIME;
use ::solver::install::Fleet;
use ::solver::process::{ProcessLimits, processors};
use ::solver::session::Solver;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use corpus::seed::{self, SeedSource};
use map::MapArgs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The default arms of an experiment.
const DEFAULT_ARMS: [&str; 2] = ["storm", "finite"];

/// Measure how much of a solver's code seeds and mutants execute.
#[derive(clap::Args)]
#[command(
    after_help = "BUILD is compiled with --coverage (gcc or clang), with clang's -fprofile-instr-generate -fcoverage-mapping, by AFL++, or with \
                  -fsanitize-coverage=trace-pc-guard and the file that --runtime writes. The seeds run first; each mutator adds to their coverage.\n\n\
                  Examples:\n  squall experiment cover --solver z3@5.3.3+coverage --mutants 500\n  \
                  squall experiment cover --solver ./build/cvc5 --seeds seeds/ --mutants 2000 --mutator storm --mutator fusion,operator --mutator finite\n  \
                  squall experiment cover --solver ./build/z3 --map z3.map\n  \
                  squall experiment cover --map z3.map --of sat::solver::propagate --of src/sat/sat_solver.cpp:120-140\n  \
                  squall experiment cover --runtime edge_runtime.c\n\n\
                  Exit codes: 0 done, 3 stopped before the end (complete results are written; the same command resumes), 2 usage, 1 failure."
)]
pub struct Args {
    /// Seed files and folders [default: the seeds embedded in this program].
    #[arg(value_name = "SEEDS")]
    paths: Vec<PathBuf>,
    /// Seed files and folders, like SEEDS.
    #[arg(long = "seeds", value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// The instrumented build: a path, or a name such as z3@5.3.3+coverage.
    #[arg(long, short, value_name = "BUILD", required_unless_present_any = ["runtime", "of"])]
    solver: Option<SolverSpec>,
    /// Mutators to measure together, separated by commas. May be repeated, for one curve each [default: storm, then finite].
    #[arg(long, short, value_name = "NAMES")]
    mutator: Vec<String>,
    /// The number of mutants of each curve. A later run with more continues an earlier one.
    #[arg(long, value_name = "N", default_value_t = 200)]
    mutants: u64,
    /// The random seed.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The solver's time limit per script. A killed script adds no counters of gcov or clang.
    #[arg(long, short, value_name = "TIME", default_value = "5s", value_parser = units::time)]
    timeout: Duration,
    /// Number of scripts to run at a time [default: one per processor].
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The folder for index.html, curve.csv, files.csv, functions.csv, figures.md and results.json. A stopped command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = "coverage")]
    out: PathBuf,
    /// Only write the C runtime. Link it to a solver that is compiled with -fsanitize-coverage=trace-pc-guard.
    #[arg(long, value_name = "FILE", exclusive = true)]
    runtime: Option<PathBuf>,
    #[command(flatten)]
    map: MapArgs,
}

/// Runs the subcommand.
/// Errors: a build without instrumentation, a folder that cannot be written, or counters that cannot be read.
pub fn run(args: Args) -> Result<Exit> {
    if let Some(path) = &args.runtime {
        files::atomic::write(path, EDGE_RUNTIME.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        return Ok(Exit::Clean);
    }
    if let (Some(map), [_, ..]) = (&args.map.map, &args.map.of[..]) {
        return map::look_up(map, &args.map.of);
    }
    let Some(spec) = &args.solver else { usage!("--solver names the instrumented build") };
    // The folder of a map may hold anything; that of the results belongs to the experiment.
    let near = |path: &PathBuf| tempfile::tempdir_in(std::path::absolute(path)?.parent().unwrap_or(path));
    let own = args.map.map.as_ref().map(near).transpose().context("cannot make a folder for the counters")?;
    let counters = own.as_ref().map_or_else(|| args.out.join("counters"), |own| own.path().join("counters"));
    if args.map.map.is_none() {
        std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    }
    let cancel = interruption::token()?;
    let fleet = Fleet::of_user()?;
    let solver = fleet.solver(fleet.resolve(spec)?).with_cancel(cancel.clone());
    let mut measured = match MeasuredBuild::open(solver, &counters) {
        Ok(measured) => measured,
        Err(error) => usage!("--solver {spec}: {error}"),
    };
    if let Some(path) = &args.map.map {
        let planned = map_plan(measured.solver(), seeds(&args)?, args.seed, args.timeout, args.map.per.get());
        let made = planned.and_then(|plan| map::make(path, plan, &mut measured, &cancel));
        clear(&counters);
        return made;
    }
    let plan = plan(&args, measured.solver())?;
    let line = ProgressLine::steps("scripts", plan.seeds.len() as u64 + plan.mutants * plan.arms.len() as u64);
    let begins = |phase: &str| line.begins(phase);
    let ran = run::run(&plan, &mut measured, &cancel, &begins, &|scripts| line.advance(scripts));
    drop(line);
    let ran = ran?;
    let items = measured.items()?;
    let gains = CoverageGains::of(items, &ran);
    page::publish(&plan, &ran, &gains)?;
    clear(&counters);
    if !ran.is_complete {
        eprintln!("squall: stopped before the end; the same command resumes");
        return Ok(Exit::Unfinished);
    }
    Ok(Exit::Clean)
}

/// Removes old counters.
fn clear(folder: &Path) {
    // The next command removes a leftover.
    let _ = std::fs::remove_dir_all(folder);
}

fn seeds(args: &Args) -> Result<Vec<SeedSource>> {
    let paths: Vec<PathBuf> = args.paths.iter().chain(&args.seeds).cloned().collect();
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        usage!("there is no '{}'", missing.display());
    }
    Ok(if paths.is_empty() { seed::embedded() } else { seed::collect(&paths)? })
}

/// Returns a target with these mutators and parameters.
fn target(solver: &Solver, mutators: Vec<String>, parameters: &[(&str, &str)]) -> Result<Target, TargetError> {
    let parameters = parameters.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let options = TargetOptions { mutators, parameters, ..TargetOptions::default() };
    Target::new(solver.clone(), &options, &Stops::default())
}

fn arm(name: &str, target: Target) -> CoverageArm {
    let Target { tested, mutators, .. } = target;
    CoverageArm { name: name.to_string(), target: tested, mutators }
}

fn plan(args: &Args, solver: &Solver) -> Result<CoveragePlan> {
    let names = match &args.mutator[..] {
        [] => DEFAULT_ARMS.map(str::to_string).to_vec(),
        named => named.to_vec(),
    };
    if let Some(twice) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        usage!("--mutator {} is given twice", twice.1);
    }
    let mut arms = Vec::new();
    for name in names {
        match target(solver, choice::names(&name), &[]) {
            Ok(target) => arms.push(arm(&name, target)),
            Err(error) => usage!("--mutator {name}: {error}"),
        }
    }
    Ok(CoveragePlan {
        seeds: seeds(args)?,
        target: target(solver, Vec::new(), &[])?.tested,
        arms,
        mutants: args.mutants,
        seed: args.seed,
        limits: ProcessLimits { wall: args.timeout, ..ProcessLimits::default() },
        jobs: args.jobs.map_or_else(processors, NonZeroUsize::get),
        out: args.out.clone(),
    })
}

/// Returns the plan of a map: an arm for each default mutator that changes seeds, and one for each theme.
/// Errors: the solver cannot be run.
pub fn map_plan(solver: &Solver, seeds: Vec<SeedSource>, seed: u64, wall: Duration, per: u32) -> Result<MapPlan> {
    let generated = || vec![finite::ENTRY.name.to_string()];
    let problems = target(solver, generated(), &[])?;
    let theme = |name: &str| Ok(arm(name, target(solver, generated(), &[(finite::THEORY, name)])?));
    let themes = finite::themes_for(&problems.tested.spelling);
    let defaults = mutators::by_default().into_iter().filter_map(|text| MutatorChoice::read(&text).ok());
    let names = defaults.map(|choice| choice.name().to_string()).filter(|name| !mutators::needs_no_seed(name));
    let mutator = |name: String| Ok(arm(&name, target(solver, vec![name.clone()], &[])?));
    Ok(MapPlan {
        themes: themes.into_iter().map(|(name, _)| theme(name)).collect::<Result<_>>()?,
        coverage: CoveragePlan {
            seeds,
            target: target(solver, Vec::new(), &[])?.tested,
            arms: names.map(mutator).collect::<Result<_>>()?,
            mutants: 0,
            seed,
            limits: ProcessLimits { wall, ..ProcessLimits::default() },
            jobs: 1,
            out: PathBuf::new(),
        },
        problems: arm("options", problems),
        per,
        older: None,
    })
}
