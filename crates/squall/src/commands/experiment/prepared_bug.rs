//! Prepares the search for bugs: chooses them from a list, installs their releases, and lists their seeds without the revealing script.

use super::runs::seed_on_disk;
use ::experiment::known_bugs::manifest::{self, BugDefaults, ReleaseBug};
use ::experiment::known_bugs::run::form;
use ::solver::install::Fleet;
use ::solver::session::Solver;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use corpus::seed;
use std::path::{Path, PathBuf};

/// A bug with its seeds and releases.
pub struct PreparedBug {
    /// The bug.
    pub bug: ReleaseBug,
    /// Its seeds; empty for the embedded ones.
    pub seeds: Vec<PathBuf>,
    /// The last release that has it, if that is not the fuzzed one.
    pub last: Option<Solver>,
    /// The fixed release, if one is named.
    pub fixed: Option<Solver>,
}

/// Returns the bugs of a list, or those of them that are named.
/// Errors: the list has mistakes, or a path or bug does not exist.
pub fn chosen(list: &Path, ids: &[String], paths: &[PathBuf], mut defaults: BugDefaults) -> Result<Vec<ReleaseBug>> {
    existing(paths)?;
    defaults.folders = paths.iter().filter(|path| path.is_dir()).cloned().collect();
    let mut bugs = manifest::read(list, &defaults)?;
    if let Some(unknown) = ids.iter().find(|id| bugs.iter().all(|bug| bug.id != **id)) {
        let known: Vec<&str> = bugs.iter().map(|bug| bug.id.as_str()).collect();
        usage!("--bug {unknown}: there is no such bug; there are: {}", known.join(", "));
    }
    if !ids.is_empty() {
        bugs.retain(|bug| ids.contains(&bug.id));
    }
    Ok(bugs)
}

/// Rejects paths that do not exist.
/// Errors: the first path that does not exist.
pub fn existing(paths: &[PathBuf]) -> Result<()> {
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        usage!("there is no '{}'", missing.display());
    }
    Ok(())
}

impl PreparedBug {
    /// Installs missing releases, and lists the seeds without the script that shows the bug. `paths` are the seeds of bugs that name none;
    /// embedded seeds are written into `out`.
    /// Errors: a solver is not available, a seed cannot be read or written, or the script that shows the bug is the only seed.
    pub fn new(bug: ReleaseBug, paths: &[PathBuf], out: &Path) -> Result<PreparedBug> {
        let fleet = Fleet::of_user()?;
        let install = |text: &String| {
            let spec: SolverSpec = text.parse().with_context(|| format!("bug '{}'", bug.id))?;
            let had = fleet.ensure(&spec, &mut crate::commands::solver::say);
            had.with_context(|| format!("bug '{}': cannot get {text}", bug.id))
        };
        install(&bug.solver)?;
        let installed = |text: &Option<String>| -> Result<Option<Solver>> {
            text.as_ref().map(|text| Ok(fleet.solver(install(text)?))).transpose()
        };
        let (last, fixed) = (installed(&bug.last)?, installed(&bug.fixed)?);
        let seeds = match (&bug.seed, &bug.revealing) {
            (Some(seed), _) => vec![seed_on_disk(seed, out)?],
            (None, None) => paths.to_vec(),
            (None, Some(revealing)) => others(paths, revealing)?,
        };
        Ok(PreparedBug { bug, seeds, last, fixed })
    }
}

/// Returns the seeds without the revealing script. Fails if an embedded seed is that script.
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
        // The campaign skips unreadable seeds.
        if std::fs::read_to_string(&path).map_or(true, |text| form(&text) != shown) {
            seeds.push(path);
        }
    }
    if seeds.is_empty() {
        usage!("{} is the only seed; name others", revealing.display());
    }
    Ok(seeds)
}
