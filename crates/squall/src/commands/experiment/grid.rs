//! `squall experiment grid`: how the bounds on assertions and depth change how soon a bug is found.

use super::grid_page::GridReport;
use super::prepared_bug::{self, PreparedBug};
use super::run_args::RunArgs;
use super::{grid_page, parallel};
use crate::args::units;
use crate::interruption;
use crate::render::progress::ProgressLine;
use ::experiment::grid::{GridCell, GridRun};
use ::experiment::known_bugs::manifest::{BugDefaults, ReleaseBug};
use ::experiment::known_bugs::run::BugHunt;
use ::finding::BugClass;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The bug of the default list that is looked for by default: a wrong `unsat` that mutants of an embedded seed show.
const USUAL: &str = "z3-pipeline-capacity";

/// What is looked for, within which bounds, and the conditions.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall experiment grid --quick\n  \
                  squall experiment grid ../shared/seeds/fse --manifest storm --bug bug3,bug7,bug9\n  \
                  squall experiment grid seeds/ --class A --solver z3@4.8.7 --for-cpu 120s\n\n\
                  This is research question 3 of STORM (ESEC/FSE 2020), Figures 4 and 5. Each pair of bounds fuzzes with the mutator \
                  storm and one worker until the bug is found, once with each campaign seed. A run that found nothing within its CPU \
                  time counts as longer than that. Intervals are those of order statistics.\n\n\
                  Exit codes: 0 done, 3 stopped before the end (what is complete is written; the same command goes on), 2 usage, \
                  1 failure.")]
pub struct GridArgs {
    /// Files and folders: the seeds of what names none, and where named seeds are looked for; without any, the embedded ones.
    #[arg(value_name = "SEEDS")]
    paths: Vec<PathBuf>,
    /// The bugs: a list as of `squall experiment known-bugs`.
    #[arg(long, value_name = "FILE|FOLDER|NAME", default_value = "own")]
    manifest: PathBuf,
    /// Only these bugs of the list, separated by commas [default: z3-pipeline-capacity of `own`, all of other lists].
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    bug: Vec<String>,
    /// Any finding of this class instead of the bugs of a list.
    #[arg(long, value_name = "CLASS", requires = "solver", conflicts_with_all = ["manifest", "bug"])]
    class: Option<BugClass>,
    /// The solver that has the bugs, where the list names none.
    #[arg(long, short, value_name = "SOLVER")]
    solver: Option<SolverSpec>,
    /// The release that has them no more, where the list names none; with --class, findings count only if it answers rightly.
    #[arg(long, value_name = "SOLVER")]
    fixed: Option<SolverSpec>,
    /// The bounds, of which all pairs are tried [default: 4,8,16,32,64, with --quick 4,16,64].
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=4096))]
    bounds: Vec<u32>,
    /// Runs of each pair, each with another campaign seed [default: 8, with --quick 3].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=50))]
    runs: Option<u64>,
    /// The CPU time after which a run gives up [default: 60s, with --quick 7s].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    for_cpu: Option<Duration>,
    #[command(flatten)]
    repeated: RunArgs,
    /// Folder for index.html, cells.csv, runs.csv, figures.md, results.json and the runs. A command that was stopped goes on there.
    #[arg(long, short, value_name = "DIR", default_value = "grid")]
    out: PathBuf,
}

impl GridArgs {
    fn bugs(&self) -> Result<Vec<ReleaseBug>> {
        let spec = |spec: &Option<SolverSpec>| spec.as_ref().map(SolverSpec::to_string);
        if let (Some(class), Some(solver)) = (self.class, spec(&self.solver)) {
            prepared_bug::existing(&self.paths)?;
            let id = format!("class-{class}");
            let fixed = spec(&self.fixed);
            return Ok(vec![ReleaseBug {
                id,
                seed: None,
                revealing: None,
                solver,
                last: None,
                fixed,
                class,
                words: Vec::new(),
            }]);
        }
        let usual = self.bug.is_empty() && self.manifest.as_os_str() == "own";
        let ids = if usual { vec![USUAL.to_string()] } else { self.bug.clone() };
        let defaults = BugDefaults { solver: spec(&self.solver), fixed: spec(&self.fixed), folders: Vec::new() };
        prepared_bug::chosen(&self.manifest, &ids, &self.paths, defaults)
    }

    fn bounds(&self) -> Vec<u32> {
        let usual: &[u32] = if self.repeated.quick { &[4, 16, 64] } else { &[4, 8, 16, 32, 64] };
        let mut bounds = if self.bounds.is_empty() { usual.to_vec() } else { self.bounds.clone() };
        bounds.sort_unstable();
        bounds.dedup();
        bounds
    }
}

/// A bug within bounds, with one campaign seed.
struct PlannedGridRun<'a> {
    prepared: &'a PreparedBug,
    cell: GridCell,
    bounded: ReleaseBug,
    seed: u64,
}

/// Runs the subcommand.
///
/// # Errors
/// A list with mistakes, a solver that cannot be had, a campaign that fails, or a folder that cannot be written.
pub fn run(args: GridArgs) -> Result<ExitCode> {
    let bugs = args.bugs()?;
    let (runs, cpu) = if args.repeated.quick { (3, Duration::from_secs(7)) } else { (8, Duration::from_secs(60)) };
    let (runs, cpu) = (args.runs.unwrap_or(runs), args.for_cpu.unwrap_or(cpu));
    let cells = GridCell::all(&args.bounds());
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let cancel = interruption::token()?;
    let prepare = |bug| PreparedBug::new(bug, &args.paths, &args.out);
    let prepared = bugs.into_iter().map(prepare).collect::<Result<Vec<_>>>()?;
    let program = std::env::current_exe().context("cannot find this program's own path")?;
    let mut work = Vec::new();
    // All pairs of bounds take turns, so that other load of the machine meets all alike.
    for seed in args.repeated.seeds(runs) {
        for prepared in &prepared {
            for &cell in &cells {
                let bounded = cell.bounded(&prepared.bug)?;
                work.push(PlannedGridRun { prepared, cell, bounded, seed });
            }
        }
    }
    let line = ProgressLine::steps("runs", work.len() as u64);
    let jobs = args.repeated.jobs();
    let finished = parallel::in_order(&work, jobs, &cancel, |one| {
        let GridCell { asserts, depth } = one.cell;
        let name = format!("{}-{asserts}-{depth}-{}", one.bounded.id, one.seed);
        line.begins(&name);
        let folder = args.out.join("runs").join(&name);
        let hunt = BugHunt {
            bug: &one.bounded,
            seeds: &one.prepared.seeds,
            seed: one.seed,
            cpu,
            folder: &folder,
            program: &program,
            last: one.prepared.last.as_ref(),
            fixed: one.prepared.fixed.as_ref(),
            cancel: &cancel,
        };
        let outcome = hunt.run()?;
        if let Some(run) = &outcome {
            eprintln!(
                "{}, at most {asserts} assertions of depth {depth}, seed {}: {} after {} of CPU time",
                one.bounded.id,
                one.seed,
                run.said(),
                units::time_text(run.cpu_s)
            );
            line.advance(1);
        }
        Ok(outcome.map(|run| GridRun { cell: one.cell, run }))
    })?;
    let bugs: Vec<ReleaseBug> = prepared.iter().map(|prepared| prepared.bug.clone()).collect();
    let report = GridReport::new(&bugs, &cells, &finished, cpu);
    grid_page::write(&args.out, &report, &finished)?;
    print!("{}", grid_page::text(&report));
    println!("{}", args.out.join("index.html").display());
    Ok(parallel::ending(finished.len(), work.len(), "run"))
}
