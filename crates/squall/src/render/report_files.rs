//! The files of a report, written into its folder.

use super::sheet::SheetCell;
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

/// A cell with a link from a page in `out` to the folder of a finding. Its text is the number at the end of the name, which is unique.
pub fn finding_link(out: &Path, folder: &str) -> SheetCell {
    let folder = Path::new(folder);
    let path = folder.strip_prefix(out).unwrap_or(folder).display().to_string();
    let number = path.rsplit('-').next().unwrap_or_default().to_string();
    SheetCell::links(vec![(format!("{path}/"), number)], 0)
}

/// Indented JSON.
/// Errors: a value that JSON cannot hold.
pub fn json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
