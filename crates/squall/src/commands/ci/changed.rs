//! `squall ci --changed`: focuses on what commits change, and compares both builds on it.

use crate::args::focus::in_words;
use crate::commands::experiment::cover;
use crate::render::say::counted;
use ::experiment::coverage::builds::{self, BuildComparison, BuildPair, DifferenceKind};
use ::experiment::coverage::focus::{CoverageFocus, SourcePlace};
use ::experiment::coverage::map::FunctionMap;
use ::experiment::coverage::run::MeasuredBuild;
use ::fuzz::SampledMutant;
use ::fuzz::findings::{CHANGE, OutDir};
use ::solver::install::Fleet;
use ::solver::process::{CancelToken, ProcessLimits};
use ::solver::session::Solver;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result, ensure};
use corpus::seed::SeedSource;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The maximum number of differences in the log.
const SHOWN: usize = 10;
/// The maximum number of scripts with differences that the campaign sends, too.
const SENT: usize = 20;
/// The time limit of a script when builds are compared.
const LIMIT: Duration = Duration::from_secs(5);

/// The commits, their repository and the map.
#[derive(clap::Args)]
#[command(next_help_heading = "Change")]
pub struct ChangeArgs {
    /// Use only seeds and themes that execute the functions that these commits change, if any do: A..B, or A...B for those of B
    /// since it branched off. Needs a build with `--features change`.
    #[arg(long, value_name = "A..B", requires = "map")]
    pub changed: Option<String>,
    /// The repository with the commits.
    #[arg(long, value_name = "DIR", default_value = ".", requires = "changed")]
    repo: PathBuf,
    /// A map of an instrumented build of the solver, made by `squall experiment cover --map`.
    #[arg(long, value_name = "FILE", requires = "changed")]
    map: Option<PathBuf>,
    /// An instrumented build of the solver, such as that of the map. It also runs 100 of the mutants, to say how many execute the
    /// change.
    #[arg(long, value_name = "BUILD", requires = "changed")]
    counted: Option<SolverSpec>,
}

/// An instrumented build that runs a sample of the mutants.
pub struct CountedBuild {
    measured: MeasuredBuild,
    /// The folder of its counters.
    _folder: TempDir,
}

/// A change, with what the map says about it.
pub struct FoundChange {
    map: FunctionMap,
    places: Vec<SourcePlace>,
    /// Options of the campaign.
    pub words: Vec<String>,
    /// Messages about the change.
    pub notes: Vec<String>,
}

/// A comparison of two builds on what executes the change.
#[derive(Default)]
pub struct ComparedChange {
    /// The comparison in words.
    pub lines: Vec<String>,
    /// The worst difference that shows a wrong build.
    pub worst: Option<DifferenceKind>,
    /// Scripts that the build after may answer wrongly, or not at all. The campaign sends them, too, so they become findings.
    pub wrong: Vec<PathBuf>,
}

impl ChangeArgs {
    /// Opens the build of `--counted`, if there is one.
    /// Errors: it is not available, or has no counters.
    pub fn open_counted(&self, fleet: &Fleet, cancel: &CancelToken) -> Result<Option<CountedBuild>> {
        let Some(spec) = &self.counted else { return Ok(None) };
        let folder = tempfile::tempdir().context("cannot make a folder for the counters")?;
        let solver = fleet.solver(fleet.resolve(spec)?).with_cancel(cancel.clone());
        match MeasuredBuild::open(solver, folder.path()) {
            Ok(measured) => Ok(Some(CountedBuild { measured, _folder: folder })),
            Err(error) => usage!("--counted {spec}: {error}"),
        }
    }

    /// Returns what the commits change, if any are given.
    /// Errors: the map cannot be read, the commits do not exist, or this build has no grammars.
    pub fn find(&self) -> Result<Option<FoundChange>> {
        let (Some(range), Some(path)) = (&self.changed, &self.map) else { return Ok(None) };
        let ReadChange { map, places, mut notes, functions } = read(&self.repo, range, path)?;
        if notes.len() > SHOWN {
            let hidden = notes.len() - SHOWN;
            notes.truncate(SHOWN);
            notes.push(format!("{hidden} more notes"));
        }
        let focus = CoverageFocus::of(&map, &places);
        notes.insert(
            0,
            match focus.inputs.is_empty() {
                true => format!("{range}: no input executes its {functions}; all seeds and themes are used"),
                false => format!("{range}: {functions}, executed by {}", in_words(&focus)),
            },
        );
        let named = places.iter().map(|place| format!("--focus={place}"));
        let is_focused = !focus.inputs.is_empty();
        let words = [format!("--map={}", path.display())].into_iter().chain(named);
        let words = words.filter(|_| is_focused).collect();
        Ok(Some(FoundChange { map, places, words, notes }))
    }
}

/// A change's places in a map, messages about it, and the number of changed functions as text.
struct ReadChange {
    map: FunctionMap,
    places: Vec<SourcePlace>,
    notes: Vec<String>,
    functions: String,
}

#[cfg(feature = "change")]
fn read(repo: &Path, range: &str, map: &Path) -> Result<ReadChange> {
    use ::solver::build::git::{GitError, GitRepository};
    let map = FunctionMap::read(map)?;
    let asked = GitRepository::open(repo).map_err(anyhow::Error::from);
    let change = match asked.and_then(|repository| ::experiment::change::Change::of(&repository, range, &map)) {
        Err(error) => match error.downcast_ref::<GitError>() {
            Some(GitError::Usage(words)) => usage!("--changed: {words}"),
            _ => return Err(error),
        },
        Ok(change) => change,
    };
    let functions = counted(change.items.len(), "changed function");
    Ok(ReadChange { map, places: change.places, notes: change.notes, functions })
}

#[cfg(not(feature = "change"))]
fn read(_: &Path, _: &str, _: &Path) -> Result<ReadChange> {
    usage!(
        "--changed needs a build with the grammars of C, C++ and Rust: cargo install --locked --path crates/squall --features change"
    )
}

impl FoundChange {
    /// Says how many of all mutants execute the change, by a sample of them and an instrumented build. A mutant whose process was killed or
    /// crashed may leave no counters, and does not count.
    /// Errors: the build lacks the changed functions, cannot be run, or its counters cannot be read; or no mutant left counters.
    pub fn reached(
        &self,
        CountedBuild { measured, .. }: &mut CountedBuild,
        sample: &[SampledMutant],
        all: u64,
        until: Instant,
    ) -> Result<String> {
        let label = measured.solver().installed().label();
        let change = SourcePlace::items(&self.places, &self.map, measured.items()?);
        ensure!(!sample.is_empty(), "this run made no mutants");
        ensure!(!change.is_empty(), "{label} has none of the changed functions");
        let limits = ProcessLimits { wall: LIMIT, ..ProcessLimits::default() };
        let (mut ran, mut reached, mut lost) = (0u64, 0u64, 0u64);
        for mutant in sample.iter().take_while(|_| Instant::now() < until) {
            let executed = measured.under_options(&mutant.options, &mutant.text, mutant.checks, &limits)?;
            if executed.is_empty() {
                lost += 1;
                continue;
            }
            ran += 1;
            reached += u64::from(executed.meets(&change));
        }
        ensure!(ran > 0, "no mutant of the sample left counters of {label}");
        let about = (all * reached).div_ceil(ran);
        let lost = if lost > 0 { format!("; {lost} more left no counters") } else { String::new() };
        Ok(format!(
            "about {about} of {all} mutants executed the change: {reached} of {ran} in a sample that {label} also ran{lost}"
        ))
    }

    /// Compares the build before with the build after on the scripts that execute the change. Keeps scripts on which they differ
    /// below `out`.
    /// Errors: a build cannot be run, `out` has other files, or a file cannot be written.
    pub fn compare(
        &self,
        (before, after): (&Solver, &Solver),
        seeds: Vec<SeedSource>,
        out: &Path,
        cancel: &CancelToken,
        time: Duration,
    ) -> Result<ComparedChange> {
        if before.profile().name != after.profile().name {
            let note = "not compared: the baseline is another solver, not an earlier build";
            return Ok(ComparedChange { lines: vec![note.to_string()], ..ComparedChange::default() });
        }
        let focus = CoverageFocus::of(&self.map, &self.places);
        if focus.inputs.is_empty() {
            return Ok(ComparedChange::default());
        }
        // A folder of others is refused before anything is written.
        drop(OutDir::claim(out)?);
        let limits = ProcessLimits { wall: LIMIT, ..ProcessLimits::default() };
        let conditions = &self.map.conditions;
        let plan = cover::map_plan(after, seeds, conditions.seed, limits.wall, conditions.per)?;
        let pair = BuildPair { before, after, limits: &limits, until: Instant::now() + time };
        let compared = builds::compare(&pair, &plan, &focus, cancel)?;
        let folder = out.join(CHANGE);
        let (mut lines, mut wrong) = (vec![summary(&compared)], Vec::new());
        for (number, one) in compared.differences.iter().enumerate() {
            files::inside::make_folder(out, CHANGE)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
            let name = Path::new(CHANGE).join(format!("{number:03}.smt2"));
            let path = out.join(&name);
            files::inside::write(out, &name, one.text.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
            lines.push(format!(
                "  {}: {}: before {}, after {}: {}",
                one.kind.word(),
                one.input,
                one.before,
                one.after,
                path.display()
            ));
            if one.kind < DifferenceKind::Slower && wrong.len() < SENT {
                wrong.push(path);
            }
        }
        let hidden = lines.len().saturating_sub(SHOWN + 1);
        if hidden > 0 {
            lines.truncate(SHOWN + 1);
            lines.push(format!("  {hidden} more in {}", folder.display()));
        }
        let worst = compared.differences.iter().map(|one| one.kind).filter(|kind| kind.is_wrong()).min();
        Ok(ComparedChange { lines, worst, wrong })
    }
}

/// Returns a comparison in one sentence.
fn summary(compared: &BuildComparison) -> String {
    let of = |kind| compared.differences.iter().filter(|one| one.kind == kind).count();
    let wrong = of(DifferenceKind::WrongAnswer) + of(DifferenceKind::WrongModel);
    format!(
        "Both builds ran {} for the change: {wrong} are wrong only after it, {} answered sat by one and unsat by the other, {} have a \
         wrong core after it, {} a broken proof, {} crash only after it, {} are not answered after it, {} are slower after it, {} were \
         wrong and are right after it{}",
        counted(compared.scripts, "script"),
        of(DifferenceKind::Contradiction),
        of(DifferenceKind::WrongCore),
        of(DifferenceKind::BrokenProof),
        of(DifferenceKind::Crash),
        of(DifferenceKind::Lost),
        of(DifferenceKind::Slower),
        of(DifferenceKind::Fixed),
        if compared.is_cut { "; the time was up before the rest" } else { "" }
    )
}
