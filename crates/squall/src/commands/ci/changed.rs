//! `squall ci --changed`: the focus on what a range of commits changes, and both builds on what executes it.

use crate::args::focus::in_words;
use crate::commands::experiment::cover;
use crate::render::say::counted;
use ::experiment::coverage::builds::{self, BuildComparison, BuildPair, DifferenceKind};
use ::experiment::coverage::focus::{CoverageFocus, SourcePlace};
use ::experiment::coverage::map::FunctionMap;
use ::solver::process::{CancelToken, ProcessLimits};
use ::solver::session::Solver;
use anyhow::{Context, Result};
use corpus::seed::SeedSource;
use std::path::{Path, PathBuf};

/// The maximum number of differences in the log.
const SHOWN: usize = 10;

/// The commits, and what is known about the code.
#[derive(clap::Args)]
#[command(next_help_heading = "Change")]
pub struct ChangeArgs {
    /// Fuzz mainly what executes the functions that these commits change: A..B, or A...B for those of B since it left A.
    #[arg(long, value_name = "A..B", requires = "map")]
    pub changed: Option<String>,
    /// The repository with the commits.
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// A map of an instrumented build of the solver, made by `squall experiment cover --map`.
    #[arg(long, value_name = "FILE", requires = "changed")]
    map: Option<PathBuf>,
}

/// A change, by the map.
pub struct FoundChange {
    map: FunctionMap,
    places: Vec<SourcePlace>,
    /// Options of the campaign.
    pub words: Vec<String>,
    /// What the map knows of the change, one line each.
    pub told: Vec<String>,
}

impl ChangeArgs {
    /// Returns what the commits change, if any are given.
    /// Errors: the map cannot be read, the commits do not exist, or this build has no grammars.
    pub fn find(&self) -> Result<Option<FoundChange>> {
        let (Some(range), Some(path)) = (&self.changed, &self.map) else { return Ok(None) };
        let map = FunctionMap::read(path)?;
        let (places, mut told, functions) = read(&self.repo, range, &map)?;
        let focus = CoverageFocus::of(&map, &places);
        told.insert(
            0,
            match focus.inputs.is_empty() {
                true => format!("{range}: nothing of the map executes its {functions}; all seeds and themes are used"),
                false => format!("{range}: {} execute its {functions}", in_words(&focus)),
            },
        );
        let named = places.iter().flat_map(|place| ["--focus".to_string(), place.to_string()]);
        let is_focused = !focus.inputs.is_empty();
        let words = ["--map".to_string(), path.display().to_string()].into_iter().chain(named);
        let words = words.filter(|_| is_focused).collect();
        Ok(Some(FoundChange { map, places, words, told }))
    }
}

/// Returns the places of a change, lines about what is not used, and what it changes in words.
#[cfg(feature = "change")]
fn read(repo: &Path, range: &str, map: &FunctionMap) -> Result<(Vec<SourcePlace>, Vec<String>, String)> {
    use ::solver::build::git::{GitError, GitRepository};
    let asked = GitRepository::open(repo).map_err(anyhow::Error::from);
    let change = match asked.and_then(|repository| ::experiment::change::Change::of(&repository, range, map)) {
        Err(error) => match error.downcast_ref::<GitError>() {
            Some(GitError::Usage(words)) => usage!("--changed: {words}"),
            _ => return Err(error),
        },
        Ok(change) => change,
    };
    let functions = counted(change.items.len(), "changed function");
    Ok((change.places, change.told, functions))
}

#[cfg(not(feature = "change"))]
fn read(_: &Path, _: &str, _: &FunctionMap) -> Result<(Vec<SourcePlace>, Vec<String>, String)> {
    usage!("--changed needs a build with the grammars of C, C++ and Rust: cargo install --features change")
}

impl FoundChange {
    /// Compares the build before with the build after on the scripts that execute the change. Keeps scripts on which they differ
    /// below `out`, and returns the comparison in words, and whether the builds contradict each other.
    /// Errors: a build cannot be run, or a file cannot be written.
    pub fn compare(
        &self,
        (before, after): (&Solver, &Solver),
        seeds: Vec<SeedSource>,
        out: &Path,
        cancel: &CancelToken,
    ) -> Result<(Vec<String>, bool)> {
        let focus = CoverageFocus::of(&self.map, &self.places);
        let limits = ProcessLimits { wall: std::time::Duration::from_secs(5), ..ProcessLimits::default() };
        let conditions = &self.map.conditions;
        let plan = cover::map_plan(after, seeds, conditions.seed, limits.wall, conditions.per)?;
        let pair = BuildPair { before, after, limits: &limits };
        let compared = builds::compare(&pair, &plan, &focus, cancel)?;
        let folder = out.join("change");
        let mut lines = vec![summary(&compared)];
        for (number, one) in compared.differences.iter().enumerate() {
            std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
            let path = folder.join(format!("{number:03}.smt2"));
            files::atomic::write(&path, one.text.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
            let kind = format!("{:?}", one.kind).to_lowercase();
            lines.push(format!(
                "  {kind}: {}: before {}, after {}: {}",
                one.input,
                one.before,
                one.after,
                path.display()
            ));
        }
        let hidden = lines.len().saturating_sub(SHOWN + 1);
        if hidden > 0 {
            lines.truncate(SHOWN + 1);
            lines.push(format!("  {hidden} more in {}", folder.display()));
        }
        let contradicts = compared.differences.iter().any(|one| one.kind == DifferenceKind::Contradiction);
        Ok((lines, contradicts))
    }
}

/// Returns a comparison in one sentence.
fn summary(compared: &BuildComparison) -> String {
    let of = |kind| compared.differences.iter().filter(|one| one.kind == kind).count();
    format!(
        "Both builds on {} that execute the change: {} answered sat by one and unsat by the other, {} crash only after it, {} \
         are not answered after it, {} are slower after it",
        counted(compared.scripts, "script"),
        of(DifferenceKind::Contradiction),
        of(DifferenceKind::Crash),
        of(DifferenceKind::Lost),
        of(DifferenceKind::Slower)
    )
}
