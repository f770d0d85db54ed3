//! The vector of answers to a reduced script, as it lies beside it.

use anyhow::{Context, Result};
use finding::{AnswerVector, folder};
use reduce::finding::sha256;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The contents of `vector.json`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedVector {
    /// SHA-256 of the script that was asked about.
    pub script: String,
    /// Who errs.
    pub vector: AnswerVector,
}

impl SavedVector {
    /// Writes it beside the finding, whole.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn write(&self, finding: &Path) -> Result<()> {
        let path = finding.join(folder::VECTOR);
        let text = serde_json::to_string_pretty(self)? + "\n";
        files::inside::put(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    }

    /// What lies beside the reduced script of a finding. None where there is nothing, or it is of another text.
    pub fn load(finding: &Path) -> Option<SavedVector> {
        let saved: SavedVector = serde_json::from_slice(&files::found(finding.join(folder::VECTOR)).ok()?).ok()?;
        let script = files::found(finding.join(folder::REDUCED)).ok()?;
        (saved.script == sha256(&script)).then_some(saved)
    }
}
