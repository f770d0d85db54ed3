//! Why the folder of a finding cannot be read or written.

use std::io;
use std::path::Path;

/// Why the folder of a finding cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// There is no finding.
    #[error("'{0}' is no finding and holds none: a finding is a folder with finding.json and mutant.smt2")]
    NoFinding(String),
    /// There is no such folder.
    #[error("there is no folder '{0}'")]
    NoFolder(String),
    /// A file cannot be read.
    #[error("cannot read '{path}': {cause}")]
    File {
        /// The file.
        path: String,
        /// The I/O error.
        cause: io::Error,
    },
    /// A file is damaged.
    #[error("'{path}' is damaged: {cause}{hint}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong with it.
        cause: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// A file was written by a later version.
    #[error("'{path}' has format {found}, this program knows {known}; use a newer squall")]
    Newer {
        /// The file.
        path: String,
        /// Its format.
        found: u64,
        /// The latest known format.
        known: u32,
    },
    /// A file cannot be written.
    #[error("cannot write {path}")]
    Write {
        /// The file.
        path: String,
        /// The I/O error.
        source: io::Error,
    },
}

impl FolderError {
    pub(super) fn read(path: &Path, cause: io::Error) -> FolderError {
        FolderError::File { path: path.display().to_string(), cause }
    }

    pub(super) fn write(path: &Path, source: io::Error) -> FolderError {
        FolderError::Write { path: path.display().to_string(), source }
    }

    /// Whether the file is missing.
    pub fn is_missing(&self) -> bool {
        matches!(self, FolderError::File { cause, .. } if cause.kind() == io::ErrorKind::NotFound)
    }
}
