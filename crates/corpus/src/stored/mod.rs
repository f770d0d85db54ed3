//! Stored corpora: named sets of seeds without duplicates, balanced per logic.

mod addition;
mod manifest;
mod selection;
mod shape;

pub use addition::{AddedCounts, AdditionError, AdditionPlan, Clock};
pub use manifest::{CorpusManifest, CorpusSeed, ManifestError, MeasuredSeed};
pub use shape::SeedShape;

use crate::seed::SeedSource;
use std::path::{Path, PathBuf};

/// The name of the corpus if the user gives none.
pub const DEFAULT_NAME: &str = "default";

/// The folder of all corpora.
#[derive(Clone, Debug)]
pub struct Corpora {
    folder: PathBuf,
}

/// A corpus by its name.
#[derive(Clone, Debug)]
pub struct StoredCorpus {
    /// Its name.
    pub name: String,
    /// Where its seeds are.
    pub folder: PathBuf,
}

/// Why a corpus cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The name is not valid as the name of a folder.
    #[error("'{0}' cannot be the name of a corpus: letters, digits, '-', '_' and '.' make one")]
    Name(String),
    /// The corpus does not exist.
    #[error("there is no corpus '{name}'; {hint}")]
    Missing {
        /// The requested name.
        name: String,
        /// The existing corpora, and how to make one.
        hint: String,
    },
    /// Its manifest cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A folder cannot be read or removed.
    #[error("cannot {action} {path}: {source}")]
    Folder {
        /// The attempted action.
        action: &'static str,
        /// The folder.
        path: String,
        /// The I/O error.
        source: std::io::Error,
    },
}

impl Corpora {
    /// Returns the corpora below a folder, which need not exist yet.
    pub fn at(folder: PathBuf) -> Corpora {
        Corpora { folder }
    }

    /// Returns the corpus of this name, whether it exists or not.
    /// Errors: the name is not a plain file name.
    pub fn named(&self, name: &str) -> Result<StoredCorpus, CorpusError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        match name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
            true => Err(CorpusError::Name(name.to_string())),
            false => Ok(StoredCorpus { name: name.to_string(), folder: self.folder.join(name) }),
        }
    }

    /// Returns all corpora with their manifests, by name.
    /// Errors: the folder or a manifest cannot be read.
    pub fn list(&self) -> Result<Vec<(StoredCorpus, CorpusManifest)>, CorpusError> {
        let failed = |source| CorpusError::Folder { action: "read", path: self.folder.display().to_string(), source };
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut found = Vec::new();
        for entry in entries {
            let folder = entry.map_err(failed)?.path();
            let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { continue };
            if let Some(manifest) = CorpusManifest::load(&folder)? {
                found.push((StoredCorpus { name: name.to_string(), folder }, manifest));
            }
        }
        found.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
        Ok(found)
    }

    /// Reads the manifest of a corpus that must exist.
    /// Errors: it does not exist, or cannot be read.
    pub fn manifest(&self, name: &str) -> Result<(StoredCorpus, CorpusManifest), CorpusError> {
        let corpus = self.named(name)?;
        if let Some(manifest) = CorpusManifest::load(&corpus.folder)? {
            return Ok((corpus, manifest));
        }
        let names: Vec<String> = self.list()?.into_iter().map(|(corpus, _)| corpus.name).collect();
        let hint = match names.is_empty() {
            true => "`squall corpus add FOLDER` makes one".to_string(),
            false => format!("there are: {}", names.join(", ")),
        };
        Err(CorpusError::Missing { name: name.to_string(), hint })
    }

    /// Removes a corpus.
    /// Errors: it does not exist, or cannot be removed.
    pub fn remove(&self, name: &str) -> Result<StoredCorpus, CorpusError> {
        let (corpus, _) = self.manifest(name)?;
        let path = corpus.folder.display().to_string();
        match std::fs::remove_dir_all(&corpus.folder) {
            Ok(()) => Ok(corpus),
            Err(source) => Err(CorpusError::Folder { action: "remove", path, source }),
        }
    }
}

/// Returns the seeds of a manifest, in its order.
pub fn seeds(folder: &Path, manifest: &CorpusManifest) -> Vec<SeedSource> {
    manifest.seeds.iter().map(|seed| SeedSource::File(folder.join(&seed.file))).collect()
}
