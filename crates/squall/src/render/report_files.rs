//! The files of a report, written into its folder.

use anyhow::{Context, Result};
use serde::Serialize;
use std::path::Path;

/// Writes files by their names, each atomically.
/// Errors: a file cannot be written.
pub fn write<'n>(folder: &Path, files: impl IntoIterator<Item = (&'n str, String)>) -> Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        files::inside::put(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Indented JSON.
/// Errors: a value that JSON cannot hold.
pub fn json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
