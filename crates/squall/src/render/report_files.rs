//! The files of a report, written into its folder.

use anyhow::{Context, Result};
use serde::Serialize;
use std::path::Path;

/// Writes files by their names, each whole or not at all.
///
/// # Errors
/// One that cannot be written.
pub fn write<'n>(folder: &Path, files: impl IntoIterator<Item = (&'n str, String)>) -> Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        files::atomic::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// The text of a JSON file for people, too.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
