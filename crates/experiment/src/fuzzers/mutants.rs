//! The mutants that a peer left: how many, and which of them are no scripts.

use anyhow::{Context, Result};
use smtlib::Store;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a folder of mutants holds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MutantCount {
    /// All.
    pub mutants: u64,
    /// Those that our reader refuses.
    pub ill_formed: u64,
    /// The first of them by name, and the first mistake in it.
    pub sample: Option<(PathBuf, String)>,
}

impl MutantCount {
    /// Reads every mutant in a folder. With `is_cut` the peer was killed: the mutant written last may be half a file, and is removed.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn of(folder: &Path, is_cut: bool) -> Result<MutantCount> {
        let mut scripts = files::scripts_below(folder).scripts;
        let written =
            |path: &PathBuf| path.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        if is_cut && let Some(last) = (0..scripts.len()).max_by_key(|n| written(&scripts[*n])) {
            let last = scripts.remove(last);
            std::fs::remove_file(&last).with_context(|| format!("cannot remove {}", last.display()))?;
        }
        let mut count = MutantCount { mutants: scripts.len() as u64, ..MutantCount::default() };
        for path in scripts {
            if let Err(mistake) = readable(&path) {
                count.ill_formed += 1;
                count.sample.get_or_insert((path, mistake));
            }
        }
        Ok(count)
    }
}

/// The text of a script.
///
/// # Errors
/// What is wrong with it.
pub fn readable(path: &Path) -> Result<String, String> {
    let bytes = files::named(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_string())?;
    match smtlib::parse(&mut Store::new(), &text).errors.first() {
        Some(error) => Err(error.to_string()),
        None => Ok(text),
    }
}
