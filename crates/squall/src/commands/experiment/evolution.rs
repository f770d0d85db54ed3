//! `squall experiment evolution`: runs the releases of a solver on one fixed set of problems.

use super::{evolution_page, runs};
use crate::args::{theory, units};
use crate::exit::Exit;
use crate::render::progress::ProgressLine;
use crate::render::say::counted;
use ::experiment::evolution::history::EvolutionHistory;
use ::experiment::evolution::problems::{EvolutionProblems, MadeProblems};
use ::experiment::evolution::release_run::{ReleaseQuestion, ReleaseRun};
use ::experiment::journal::Journal;
use ::fuzz::sync::Stops;
use ::fuzz::under_test::{Target, TargetOptions};
use ::mutate::finite::theme;
use ::oracle::TestedSolver;
use ::solver::install::{Fleet, InstalledSolver};
use ::solver::process::{CancelToken, ProcessLimits, processors};
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The releases and the problems.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall experiment evolution --solver z3 --quick\n  \
                  squall experiment evolution found/ --solver z3 --release 4.8.7,4.12.2,4.16.0,5.4.1 --count 4000\n  \
                  squall experiment evolution --solver cvc5 --build build/bin/cvc5 --theory strings,sequences\n\n\
                  Files count if exhaustion or their :status gives the right answer. A wrong answer is checked again, \
                  alone in its own process.\n\n\
                  Exit codes: 0 done, 3 stopped before the end (complete results are written; the same command resumes), 2 usage, \
                  1 failure.")]
pub struct EvolutionArgs {
    /// Scripts and folders to run in addition to the generated problems.
    #[arg(value_name = "FILES")]
    paths: Vec<PathBuf>,
    /// The solver, without a version.
    #[arg(long, short, value_name = "NAME", required = true)]
    solver: String,
    /// Its releases, separated by commas, installed where they are missing; `all` for every one that can be installed [default: those installed].
    #[arg(long, value_name = "VERSION", value_delimiter = ',')]
    release: Vec<String>,
    /// Your own build, which counts as the newest release.
    #[arg(long, value_name = "PROGRAM")]
    build: Option<SolverSpec>,
    /// Generated problems [default: 1000, with --quick 100].
    #[arg(long, short = 'n', value_name = "N")]
    count: Option<u64>,
    /// Their theories, separated by commas; by default those that the releases have, by weight.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = theory::names())]
    theory: Vec<String>,
    /// The seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// CPU limit of a problem.
    #[arg(long, short, value_name = "TIME", default_value = "1s", value_parser = units::time)]
    timeout: Duration,
    /// Fewer problems and, unless releases are named, the oldest, the newest and six between: first results within two minutes.
    #[arg(long)]
    quick: bool,
    /// Releases run in parallel [default: one per processor].
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Folder for index.html, answers.csv, figures.md, results.json, the problems and the answers. The same command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = "evolution")]
    out: PathBuf,
}

/// The most releases with `--quick`.
const QUICK_RELEASES: usize = 8;

/// Runs the subcommand.
///
/// # Errors
/// A release is not available or cannot be run, a file has mistakes, or a folder cannot be written.
pub fn run(args: EvolutionArgs) -> Result<Exit> {
    let fleet = Fleet::of_user()?;
    if let Err(error) = fleet.profiles().get(&args.solver) {
        usage!("{error}");
    }
    let releases = releases(&args, &fleet)?;
    let stops = Stops::default();
    let options = TargetOptions::default();
    let target = |installed: InstalledSolver| Ok(Target::new(fleet.solver(installed), &options, &stops)?.tested);
    let targets = releases.into_iter().map(target).collect::<Result<Vec<TestedSolver>>>()?;
    if targets.is_empty() {
        usage!(
            "no release of {0} is installed; --release names some, as in --release all, or install one: squall solver install {0}@latest",
            args.solver
        );
    }
    let problems = problems(&args, &targets)?;
    if problems.list.is_empty() {
        usage!(
            "there are no problems: none was generated, because --count is 0 or the newest release has nothing of these theories, and no file has a check whose right answer is known"
        );
    }
    problems.write(&args.out.join("problems"))?;
    let cancel = stops.user.clone();
    let stop = stops.clone();
    ctrlc::set_handler(move || {
        stop.user.cancel();
        stop.time.cancel();
    })
    .context("cannot watch for interruptions")?;
    let runs = ask_all(&args, &problems, &targets, &cancel)?;
    let history = EvolutionHistory::of(&problems, &runs);
    evolution_page::publish(&args.out, &problems, &runs, &history)?;
    if !problems.without_answer.is_empty() {
        eprintln!("squall: skipped: {} without a known right answer", counted(problems.without_answer.len(), "file"));
    }
    Ok(runs::ending(runs.len(), targets.len(), "release"))
}

/// Returns the releases, the oldest first, then the user's own build.
fn releases(args: &EvolutionArgs, fleet: &Fleet) -> Result<Vec<InstalledSolver>> {
    let mut list = match args.release.as_slice() {
        [] => {
            // A build with counters or assertions is not a release, and much slower.
            let is_asked =
                |installed: &InstalledSolver| *installed.profile.name == *args.solver && installed.is_release();
            fleet.list().into_iter().filter(is_asked).collect()
        }
        named => {
            let versions = match named {
                [all] if all == "all" => fleet.remote_versions(&args.solver)?,
                list => list.to_vec(),
            };
            let mut list = Vec::new();
            for version in versions {
                let spec: SolverSpec = match format!("{}@{version}", args.solver).parse() {
                    Ok(spec) => spec,
                    Err(error) => usage!("--release {version}: {error}"),
                };
                match fleet.ensure(&spec, &mut crate::commands::solver::say) {
                    Ok(installed) => list.push(installed),
                    // With `all`, a release that is not available must not stop the others.
                    Err(error) if named.len() == 1 && named[0] == "all" => eprintln!("{version} is left out: {error}"),
                    Err(error) => return Err(error).with_context(|| format!("cannot get {}", spec.label())),
                }
            }
            list
        }
    };
    list.sort_by(|a, b| a.version.cmp(&b.version));
    list.dedup_by(|a, b| a.version.is_some() && a.version == b.version);
    if args.quick && args.release.is_empty() {
        list = spread(list, QUICK_RELEASES);
    }
    if let Some(build) = &args.build {
        if !matches!(build, SolverSpec::Path(_)) {
            usage!("--build {build}: it is not the path of a program, such as ./build/z3");
        }
        list.push(fleet.resolve(build)?);
    }
    Ok(list)
}

/// Returns at most `most` of a list, the first and the last among them, at equal distances.
fn spread<T>(list: Vec<T>, most: usize) -> Vec<T> {
    let (length, most) = (list.len(), most.max(2));
    if length <= most {
        return list;
    }
    let is_kept = |n: usize| (0..most).any(|part| part * (length - 1) / (most - 1) == n);
    list.into_iter().enumerate().filter(|(n, _)| is_kept(*n)).map(|(_, one)| one).collect()
}

/// Collects the problems: generated ones, and files.
fn problems(args: &EvolutionArgs, targets: &[TestedSolver]) -> Result<EvolutionProblems> {
    let spellings: Vec<_> = targets.iter().map(|target| &target.spelling).collect();
    let themes = args.theory.iter().filter_map(|name| theme::find(name)).collect();
    let count = args.count.unwrap_or(if args.quick { 100 } else { 1000 });
    let made = MadeProblems { count, themes, seed: args.seed };
    let mut problems = EvolutionProblems { list: made.make(&spellings)?, ..EvolutionProblems::default() };
    problems.add_files(&files::walk::named_scripts(&args.paths)?)?;
    Ok(problems)
}

/// Runs all releases in parallel. The first failure cancels the others.
fn ask_all(
    args: &EvolutionArgs,
    problems: &EvolutionProblems,
    targets: &[TestedSolver],
    cancel: &CancelToken,
) -> Result<Vec<ReleaseRun>> {
    let line = ProgressLine::steps("problems", (targets.len() * problems.list.len()) as u64);
    let digest = problems.digest();
    let limits = ProcessLimits {
        // A loaded machine takes longer, which says nothing about a release.
        wall: args.timeout.saturating_mul(20).max(Duration::from_secs(10)),
        script_cpu: Some(args.timeout),
        ..ProcessLimits::default()
    };
    let done = |count: u64| line.advance(count);
    let kept = Journal::open(&args.out)?;
    let question = ReleaseQuestion { problems, digest: &digest, limits, cancel, done: &done };
    let jobs = args.jobs.map_or_else(processors, NonZeroUsize::get);
    runs::in_order(targets, jobs, cancel, |target| {
        line.begins(&target.label);
        ask(&question, target, &kept)
    })
}

/// Returns the earlier run of a release, or runs it now. The user's own build always runs, since it changes.
fn ask(
    question: &ReleaseQuestion<'_>,
    target: &TestedSolver,
    kept: &Journal<ReleaseRun>,
) -> Result<Option<ReleaseRun>> {
    let count = question.problems.list.len();
    let is_own = matches!(target.solver.installed().spec, SolverSpec::Path(_));
    let is_whole = |run: &ReleaseRun| run.verdicts.len() == count && run.cpu_us.len() == count;
    let key = format!("{} {} {:?}", target.label, question.digest, question.limits.script_cpu);
    if !is_own && let Some(run) = kept.get(&key).filter(is_whole) {
        (question.done)(count as u64);
        return Ok(Some(run));
    }
    let run = question.ask(target)?;
    if let Some(run) = run.as_ref().filter(|_| !is_own) {
        kept.keep(key, run)?;
    }
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn the_ends_of_a_list_are_kept() {
        let check = |length: usize, most: usize, expect: &[usize]| {
            assert_eq!(spread((0..length).collect(), most), expect, "{length} {most}");
        };
        check(0, 8, &[]);
        check(3, 8, &[0, 1, 2]);
        check(5, 3, &[0, 2, 4]);
        check(28, 8, &[0, 3, 7, 11, 15, 19, 23, 27]);
        check(9, 0, &[0, 8]);
    }
}
