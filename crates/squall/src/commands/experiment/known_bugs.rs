//! `squall experiment known-bugs`: finds known bugs again from seeds that do not show them.

use super::prepared_bug::PreparedBug;
use super::runs::{self, RunArgs};
use super::{known_bugs_page, prepared_bug};
use crate::args::units;
use crate::exit::Exit;
use crate::interruption;
use crate::render::progress::ProgressLine;
use ::experiment::known_bugs::collect::collect;
use ::experiment::known_bugs::manifest::{BugDefaults, ReleaseBug};
use ::experiment::known_bugs::run::BugSearch;
use ::solver::spec::SolverSpec;
use ::triage::folder::CampaignFindings;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The bugs and the conditions of the search.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall experiment known-bugs --quick\n  \
                  squall experiment known-bugs fse/ --manifest storm --runs 8\n  \
                  squall experiment known-bugs ../storm --reproduce bug3\n  \
                  squall experiment known-bugs --manifest fse/ --solver z3@4.8.7 --fixed z3@4.15.4 --bug bug3,bug7\n  \
                  squall experiment known-bugs seeds/ --manifest known-bugs/manifest.tsv --fixed z3@4.15.4\n  \
                  squall experiment known-bugs --collect squall-out > bugs.toml\n\n\
                  A finding counts if the fixed release answers rightly on the same mutant. The script that shows a bug is never one of \
                  its seeds.\n\n\
                  Exit codes: 0 done, whether the bugs were found or not, 3 stopped before the end (complete results are written; the \
                  same command resumes), 2 usage, 1 failure.")]
pub struct KnownBugsArgs {
    /// Files and folders: seeds for bugs that name none, and folders to search for named seeds that are not next to the manifest
    /// [default: the embedded seeds].
    #[arg(value_name = "SEEDS")]
    paths: Vec<PathBuf>,
    /// The bugs: a TOML file, a table of scripts that show them (.tsv), a folder with one seed per bug, `own` for bugs shown by embedded
    /// seeds, or `storm` for bugs of the STORM paper, with the folder of their seeds as SEEDS.
    #[arg(long, value_name = "FILE|FOLDER|NAME", default_value = "own")]
    manifest: PathBuf,
    /// Only these bugs, separated by commas [default: all, with --quick the first ten].
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    bug: Vec<String>,
    /// Bugs of the STORM paper, separated by commas, such as bug3; SEEDS is a copy of its repository, or the folder of the seeds. Short for
    /// --manifest storm --bug.
    #[arg(long, value_name = "ID", value_delimiter = ',', conflicts_with_all = ["manifest", "bug"])]
    reproduce: Vec<String>,
    /// The solver with the bugs for which the manifest names none.
    #[arg(long, short, value_name = "SOLVER")]
    solver: Option<SolverSpec>,
    /// The release that fixed them, for bugs for which the manifest names none.
    #[arg(long, value_name = "SOLVER")]
    fixed: Option<SolverSpec>,
    /// Runs of each bug, each with its own campaign seed [default: 5, with --quick 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=50))]
    runs: Option<u64>,
    /// The CPU time after which the search for a bug stops [default: 60s, with --quick 20s].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    for_cpu: Option<Duration>,
    #[command(flatten)]
    repeated: RunArgs,
    /// Do not fuzz. Print a manifest of the causes in this campaign's folder that a later release fixed, according to the answers of the
    /// installed releases when the findings were reduced. May be repeated.
    #[arg(long, value_name = "OUT", exclusive = true)]
    collect: Vec<PathBuf>,
    /// Folder for index.html, runs.csv, figures.md, results.json and the runs. The same command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = "known-bugs")]
    out: PathBuf,
}

/// The number of bugs with `--quick`, unless some are named.
const QUICK_BUGS: usize = 10;

/// Runs the subcommand.
/// Errors: the manifest has mistakes, a solver is not available, a campaign fails, or a folder cannot be written.
pub fn run(args: KnownBugsArgs) -> Result<Exit> {
    if !args.collect.is_empty() {
        return print_collected(&args.collect);
    }
    let (list, ids) = match args.reproduce.as_slice() {
        [] => (args.manifest.as_path(), args.bug.as_slice()),
        ids => (Path::new("storm"), ids),
    };
    let spec = |spec: &Option<SolverSpec>| spec.as_ref().map(SolverSpec::to_string);
    let places = BugDefaults { solver: spec(&args.solver), fixed: spec(&args.fixed), folders: Vec::new() };
    let mut bugs = prepared_bug::chosen(list, ids, &args.paths, places)?;
    if args.repeated.quick && ids.is_empty() {
        bugs.truncate(QUICK_BUGS);
    }
    let (runs, cpu) = if args.repeated.quick { (1, Duration::from_secs(20)) } else { (5, Duration::from_secs(60)) };
    let (runs, cpu) = (args.runs.unwrap_or(runs), args.for_cpu.unwrap_or(cpu));
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let cancel = interruption::token()?;
    let prepare = |bug| PreparedBug::new(bug, &args.paths, &args.out);
    let prepared = bugs.into_iter().map(prepare).collect::<Result<Vec<_>>>()?;
    let program = std::env::current_exe().context("cannot find this program's own path")?;
    let work: Vec<(&PreparedBug, u64)> =
        args.repeated.seeds(runs).flat_map(|seed| prepared.iter().map(move |bug| (bug, seed))).collect();
    let line = ProgressLine::steps("runs", work.len() as u64);
    let jobs = args.repeated.jobs();
    let finished = runs::in_order(&work, jobs, &cancel, |&(prepared, seed)| {
        let name = format!("{}, seed {seed}", prepared.bug.id);
        line.begins(&name);
        let folder = args.out.join("runs").join(format!("{}-{seed}", prepared.bug.id));
        let search = BugSearch {
            bug: &prepared.bug,
            seeds: &prepared.seeds,
            seed,
            cpu,
            folder: &folder,
            program: &program,
            last: prepared.last.as_ref(),
            fixed: prepared.fixed.as_ref(),
            cancel: &cancel,
        };
        let outcome = search.run()?;
        if let Some(run) = &outcome {
            eprintln!("{name}: {} after {} of CPU time", run.outcome(), units::time_text(run.cpu_s));
            line.advance(1);
        }
        Ok(outcome)
    })?;
    let bugs: Vec<ReleaseBug> = prepared.iter().map(|prepared| prepared.bug.clone()).collect();
    known_bugs_page::publish(&args.out, &bugs, &finished, cpu)?;
    Ok(runs::ending(finished.len(), work.len(), "run"))
}

/// Prints the manifest of the campaigns' findings.
fn print_collected(folders: &[PathBuf]) -> Result<Exit> {
    let Some((first, rest)) = folders.split_first() else { return Ok(Exit::Clean) };
    let mut findings = CampaignFindings::load(first)?;
    for folder in rest {
        findings.add(CampaignFindings::load(folder)?);
    }
    for damaged in &findings.damaged {
        eprintln!("squall: left out: {damaged}");
    }
    let list = collect(&findings);
    if list.bug.is_empty() {
        anyhow::bail!(
            "no finding is reduced that an installed release shows and a later one does not; install releases (`squall solver \
             install`) and run `squall reduce {}`",
            first.display()
        );
    }
    print!("{}", toml::to_string(&list).context("cannot write the manifest")?);
    Ok(Exit::Clean)
}
