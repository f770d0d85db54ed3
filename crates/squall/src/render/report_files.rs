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
        files::inside::put(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// A link from a page to the folder of a finding.
#[derive(Serialize)]
pub struct FindingLink {
    /// The folder, from that of the page.
    path: String,
    /// The number at the end of its name, which tells findings apart.
    number: String,
}

impl FindingLink {
    /// The link to a folder from a page in `out`.
    pub fn new(out: &Path, folder: &str) -> FindingLink {
        let folder = Path::new(folder);
        let path = folder.strip_prefix(out).unwrap_or(folder).display().to_string();
        let number = path.rsplit('-').next().unwrap_or_default().to_string();
        FindingLink { path, number }
    }
}

/// The text of a JSON file for people, too.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
