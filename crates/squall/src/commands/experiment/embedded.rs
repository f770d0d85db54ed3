//! Seeds embedded in this program, written to the folder of an experiment.

use ::experiment::known_bugs::manifest::EMBEDDED;
use anyhow::{Context, Result};
use corpus::seed;
use std::path::{Path, PathBuf};

/// The path of a seed; an embedded one is written below the folder of the experiment.
///
/// # Errors
/// There is no such embedded seed, or it cannot be written.
pub fn on_disk(path: &Path, out: &Path) -> Result<PathBuf> {
    let name = path.display().to_string();
    let Some(below) = name.strip_prefix(EMBEDDED) else { return Ok(path.to_path_buf()) };
    let Some(source) = seed::embedded().into_iter().find(|source| source.name() == name) else {
        usage!("there is no embedded seed '{below}'");
    };
    let path = out.join("seeds").join(below);
    let folder = path.parent().unwrap_or(out);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let bytes = source.bytes().with_context(|| format!("cannot read {name}"))?;
    files::atomic::write(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// The embedded seeds of some logics, written below the folder of the experiment.
///
/// # Errors
/// A file cannot be written.
pub fn of_logics(logics: &[&str], out: &Path) -> Result<Vec<PathBuf>> {
    let names = seed::embedded().into_iter().map(|source| source.name());
    let is_wanted = |name: &String| {
        let below = name.strip_prefix(EMBEDDED).unwrap_or(name);
        Path::new(below).parent().is_some_and(|folder| logics.iter().any(|logic| folder == Path::new(logic)))
    };
    names.filter(is_wanted).map(|name| on_disk(Path::new(&name), out)).collect()
}
