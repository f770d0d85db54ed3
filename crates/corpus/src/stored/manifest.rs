//! The manifest of a corpus: `corpus.json` in its folder.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The name of the file.
const NAME: &str = "corpus.json";
/// The format that this program reads and writes.
const FORMAT: u32 = 1;

/// The seeds of a corpus.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CorpusManifest {
    /// The version of the format.
    format: u32,
    /// The seeds, by logic, in each the most valuable first.
    pub seeds: Vec<CorpusSeed>,
}

/// A seed of a corpus.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CorpusSeed {
    /// Its path below the folder of the corpus.
    pub file: PathBuf,
    /// Where the seed was found.
    pub origin: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// The logic that it sets first; empty if it sets none.
    pub logic: String,
    /// The stated status of each check: `sat`, `unsat`, `unknown`, or empty.
    pub status: Vec<String>,
    /// Its size in bytes.
    pub bytes: u64,
    /// The number of distinct terms.
    pub terms: usize,
    /// A solver's answers, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<MeasuredSeed>,
    /// The number of causes that campaigns found with it, as far as reported.
    #[serde(default)]
    pub causes: u64,
}

/// A solver's answers to a seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MeasuredSeed {
    /// The solver.
    pub solver: String,
    /// Its answers.
    pub answers: Vec<String>,
    /// The CPU time that it used, in seconds.
    pub cpu_s: f64,
}

/// Why the manifest of a corpus cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The manifest cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// The I/O error.
        source: std::io::Error,
    },
    /// The manifest is damaged.
    #[error("{path} is damaged: {source}; remove the corpus and add its folders again")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The manifest has another format.
    #[error(
        "{path} has format {found}, and this squall reads format {FORMAT}; remove the corpus and add its folders again"
    )]
    Format {
        /// The file.
        path: String,
        /// Its format.
        found: u32,
    },
}

impl CorpusManifest {
    /// Makes a manifest of these seeds.
    pub fn new(seeds: Vec<CorpusSeed>) -> CorpusManifest {
        CorpusManifest { format: FORMAT, seeds }
    }

    /// Reads the manifest in a folder; `None` if there is none.
    /// Errors: see [`ManifestError`].
    pub fn load(folder: &Path) -> Result<Option<CorpusManifest>, ManifestError> {
        let file = folder.join(NAME);
        let path = file.display().to_string();
        let text = match files::found(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ManifestError::Unreadable { path, source }),
        };
        let manifest: CorpusManifest = match serde_json::from_slice(&text) {
            Ok(manifest) => manifest,
            Err(source) => return Err(ManifestError::Damaged { path, source }),
        };
        match manifest.format {
            FORMAT => Ok(Some(manifest)),
            found => Err(ManifestError::Format { path, found }),
        }
    }

    /// Writes the manifest atomically.
    /// Errors: the manifest cannot be written.
    pub fn save(&self, folder: &Path) -> std::io::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::other)? + "\n";
        files::atomic::write(&folder.join(NAME), text.as_bytes())
    }
}
