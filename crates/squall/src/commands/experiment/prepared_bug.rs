//! Bugs to be looked for: chosen from a list, their releases installed, and their seeds on disk without the script that shows them.

use super::embedded::on_disk;
use ::experiment::known_bugs::manifest::{self, BugDefaults, ReleaseBug};
use ::experiment::known_bugs::run::form;
use ::solver::install::Fleet;
use ::solver::session::Solver;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use corpus::seed;
use std::path::{Path, PathBuf};

/// A bug with what it takes to look for it.
pub struct PreparedBug {
    /// The bug.
    pub bug: ReleaseBug,
    /// Its seeds; none for the embedded ones.
    pub seeds: Vec<PathBuf>,
    /// The last release that has it, if that is not the one that is fuzzed.
    pub last: Option<Solver>,
    /// The fixed release, if one is named.
    pub fixed: Option<Solver>,
}

/// The bugs of a list, or those of them that are named.
///
/// # Errors
/// A list with mistakes, or a path or bug that does not exist.
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

/// Refuses paths that do not exist.
///
/// # Errors
/// The first that does not.
pub fn existing(paths: &[PathBuf]) -> Result<()> {
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        usage!("there is no '{}'", missing.display());
    }
    Ok(())
}

impl PreparedBug {
    /// Installs the releases where they are missing, and lists the seeds without the script that shows the bug. `paths` are the seeds of
    /// bugs that name none; embedded seeds are written into `out`.
    ///
    /// # Errors
    /// A solver that cannot be had, a seed that cannot be read or written, or no seed but the script that shows the bug.
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
            (Some(seed), _) => vec![on_disk(seed, out)?],
            (None, None) => paths.to_vec(),
            (None, Some(revealing)) => others(paths, revealing)?,
        };
        Ok(PreparedBug { bug, seeds, last, fixed })
    }
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
