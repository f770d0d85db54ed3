//! `squall experiment known-bugs`: known bugs found again from seeds that do not show them.

use super::embedded::on_disk;
use super::{known_bugs_page, parallel};
use crate::args::units;
use crate::interruption;
use crate::render::progress::ProgressLine;
use ::experiment::known_bugs::collect::collect;
use ::experiment::known_bugs::manifest::{self, BugDefaults, ReleaseBug};
use ::experiment::known_bugs::run::{BugHunt, BugRun, form};
use ::fuzz::corpus::seed;
use ::solver::install::Fleet;
use ::solver::process::processors;
use ::solver::session::Solver;
use ::solver::spec::SolverSpec;
use ::triage::folder::CampaignFindings;
use anyhow::{Context, Result};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The bugs and the conditions under which they are looked for.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall experiment known-bugs --quick\n  \
                  squall experiment known-bugs fse/ --manifest storm --runs 8\n  \
                  squall experiment known-bugs --manifest fse/ --solver z3@4.8.7 --fixed z3@4.15.4 --bug bug3,bug7\n  \
                  squall experiment known-bugs seeds/ --manifest known-bugs/manifest.tsv --fixed z3@4.15.4\n  \
                  squall experiment known-bugs --collect squall-out > bugs.toml\n\n\
                  A finding counts if the fixed release answers rightly on the same mutant. The script that shows a bug is kept out of \
                  its seeds.\n\n\
                  Exit codes: 0 done, whether the bugs were found or not, 3 stopped before the end (what is complete is written; the \
                  same command goes on), 2 usage, 1 failure.")]
pub struct KnownBugsArgs {
    /// Files and folders: the seeds of the bugs that name none, and where named seeds are looked for that do not lie beside the manifest;
    /// without any, the seeds embedded in this program.
    #[arg(value_name = "SEEDS")]
    paths: Vec<PathBuf>,
    /// The bugs: a TOML file, a table of scripts that show them (.tsv), a folder with a seed for each, `own` for bugs shown by embedded
    /// seeds, or `storm` for bugs of the STORM paper, the folder of whose seeds is named as SEEDS.
    #[arg(long, value_name = "FILE|FOLDER|NAME", default_value = "own")]
    manifest: PathBuf,
    /// Only these bugs, separated by commas.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    bug: Vec<String>,
    /// The solver that has the bugs for which the manifest names none.
    #[arg(long, short, value_name = "SOLVER")]
    solver: Option<SolverSpec>,
    /// The release that has them no more, where the manifest names none.
    #[arg(long, value_name = "SOLVER")]
    fixed: Option<SolverSpec>,
    /// Runs of each bug, each with another campaign seed [default: 5, with --quick 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=50))]
    runs: Option<u64>,
    /// The campaign seed of the first run.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The CPU time after which a bug is given up [default: 60s, with --quick 20s].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    for_cpu: Option<Duration>,
    /// Less of all, for a picture within two minutes.
    #[arg(long)]
    quick: bool,
    /// Runs at once [default: one a processor].
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Fuzz nothing; print a manifest of the causes in this campaign's folder of which a release is rid, as the installed releases
    /// answered when the findings were reduced. May be repeated.
    #[arg(long, value_name = "OUT", exclusive = true)]
    collect: Vec<PathBuf>,
    /// Folder for index.html, runs.csv, results.json and the runs. A command that was stopped goes on there.
    #[arg(long, short, value_name = "DIR", default_value = "known-bugs")]
    out: PathBuf,
}

/// A bug with what it takes to look for it.
struct PreparedBug {
    bug: ReleaseBug,
    seeds: Vec<PathBuf>,
    last: Option<Solver>,
    fixed: Solver,
}

/// Runs the subcommand.
///
/// # Errors
/// A manifest with mistakes, a solver that cannot be had, a campaign that fails, or a folder that cannot be written.
pub fn run(args: KnownBugsArgs) -> Result<ExitCode> {
    if !args.collect.is_empty() {
        return print_collected(&args.collect);
    }
    let spec = |spec: &Option<SolverSpec>| spec.as_ref().map(SolverSpec::to_string);
    if let Some(missing) = args.paths.iter().find(|path| !path.exists()) {
        usage!("there is no '{}'", missing.display());
    }
    let folders = args.paths.iter().filter(|path| path.is_dir()).cloned().collect();
    let defaults = BugDefaults { solver: spec(&args.solver), fixed: spec(&args.fixed), folders };
    let mut bugs = manifest::read(&args.manifest, &defaults)?;
    if let Some(unknown) = args.bug.iter().find(|id| bugs.iter().all(|bug| bug.id != **id)) {
        let known: Vec<&str> = bugs.iter().map(|bug| bug.id.as_str()).collect();
        usage!("--bug {unknown}: there is no such bug; there are: {}", known.join(", "));
    }
    if !args.bug.is_empty() {
        bugs.retain(|bug| args.bug.contains(&bug.id));
    }
    let (runs, cpu) = if args.quick { (1, Duration::from_secs(20)) } else { (5, Duration::from_secs(60)) };
    let (runs, cpu) = (args.runs.unwrap_or(runs), args.for_cpu.unwrap_or(cpu));
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let cancel = interruption::token()?;
    let prepared = bugs.into_iter().map(|bug| prepared(bug, &args)).collect::<Result<Vec<_>>>()?;
    let program = std::env::current_exe().context("cannot find this program's own path")?;
    let work: Vec<(&PreparedBug, u64)> =
        (0..runs).flat_map(|n| prepared.iter().map(move |bug| (bug, args.seed.wrapping_add(n)))).collect();
    let line = ProgressLine::steps("runs", work.len() as u64);
    let jobs = args.jobs.map_or_else(processors, NonZeroUsize::get);
    let finished = parallel::in_order(&work, jobs, &cancel, |&(prepared, seed)| {
        let name = format!("{}, seed {seed}", prepared.bug.id);
        line.begins(&name);
        let folder = args.out.join("runs").join(format!("{}-{seed}", prepared.bug.id));
        let hunt = BugHunt {
            bug: &prepared.bug,
            seeds: &prepared.seeds,
            seed,
            cpu,
            folder: &folder,
            program: &program,
            last: prepared.last.as_ref(),
            fixed: &prepared.fixed,
            cancel: &cancel,
        };
        let outcome = hunt.run()?;
        if let Some(run) = &outcome {
            eprintln!("{name}: {} after {} of CPU time", said(run), units::time_text(run.cpu_s));
            line.advance(1);
        }
        Ok(outcome)
    })?;
    let bugs: Vec<ReleaseBug> = prepared.iter().map(|prepared| prepared.bug.clone()).collect();
    known_bugs_page::write(&args.out, &bugs, &finished, cpu)?;
    print!("{}", known_bugs_page::text(&bugs, &finished));
    println!("{}", args.out.join("index.html").display());
    Ok(parallel::ending(finished.len(), work.len(), "run"))
}

/// Prints the manifest of what campaigns found.
fn print_collected(folders: &[PathBuf]) -> Result<ExitCode> {
    let Some((first, rest)) = folders.split_first() else { return Ok(ExitCode::SUCCESS) };
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
    Ok(ExitCode::SUCCESS)
}

fn said(run: &BugRun) -> &'static str {
    if run.found.is_some() { "found" } else { "not found" }
}

/// Installs the releases where they are missing, and lists the seeds without the script that shows the bug.
fn prepared(bug: ReleaseBug, args: &KnownBugsArgs) -> Result<PreparedBug> {
    let fleet = Fleet::of_user()?;
    let mut installed = Vec::new();
    for text in [&bug.solver, &bug.fixed].into_iter().chain(&bug.last) {
        let spec: SolverSpec = text.parse().with_context(|| format!("bug '{}'", bug.id))?;
        let had = fleet.ensure(&spec, &mut crate::commands::solver::say);
        installed.push(had.with_context(|| format!("bug '{}': cannot get {text}", bug.id))?);
    }
    let last = (installed.len() > 2).then(|| fleet.solver(installed.remove(2)));
    let fixed = fleet.solver(installed.remove(1));
    let seeds = match (&bug.seed, &bug.revealing) {
        (Some(seed), _) => vec![on_disk(seed, &args.out)?],
        (None, None) => args.paths.clone(),
        (None, Some(revealing)) => others(&args.paths, revealing)?,
    };
    Ok(PreparedBug { bug, seeds, last, fixed })
}

/// The seeds that are not the revealing script; that of the embedded ones none is, is looked at too.
fn others(paths: &[PathBuf], revealing: &Path) -> Result<Vec<PathBuf>> {
    let read = |path: &Path| std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let shown = form(&read(revealing)?);
    if paths.is_empty() {
        let text = |source: &seed::SeedSource| source.bytes().ok().and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(same) = seed::embedded().iter().find(|source| text(source).is_some_and(|text| form(&text) == shown))
        {
            usage!("{} is the embedded seed {}; name other seeds", revealing.display(), same.name());
        }
        return Ok(Vec::new());
    }
    let mut seeds = Vec::new();
    for source in seed::collect(paths)? {
        let seed::SeedSource::File(path) = source else { continue };
        // What cannot be read is skipped by the campaign.
        if std::fs::read_to_string(&path).map_or(true, |text| form(&text) != shown) {
            seeds.push(path);
        }
    }
    if seeds.is_empty() {
        usage!("{} is the only seed; name others", revealing.display());
    }
    Ok(seeds)
}
