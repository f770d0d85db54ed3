//! The folder of a run, and the record in it that marks the run as complete.

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads the record of a complete run, the file `name` in its folder. Removes a folder without a record: an interrupted run has used an
/// unknown amount of CPU time and must start again.
/// Errors: the record cannot be read, or the folder cannot be removed.
pub(crate) fn kept<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Option<T>> {
    let path = folder.join(name);
    if let Ok(text) = files::found_text(&path) {
        let record = serde_json::from_str(&text)
            .with_context(|| format!("{} cannot be read; remove the folder to run it again", path.display()))?;
        return Ok(Some(record));
    }
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(None)
}

/// Writes the record, which marks the run as complete.
/// Errors: the file cannot be written.
pub(crate) fn save<T: Serialize>(folder: &Path, name: &str, record: &T) -> Result<()> {
    let path = folder.join(name);
    let text = serde_json::to_string_pretty(record)?;
    files::atomic::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}
