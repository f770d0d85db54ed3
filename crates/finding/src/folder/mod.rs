//! The folder of a finding: the one place that names its files, reads and writes them.
//!
//! A folder may be a stranger's, such as a campaign that was sent. Only regular files within [`MAX_BYTES`] are read, and nothing is written
//! outside the folder, whatever links are in it.

mod error;
mod file;
mod kept;
mod paths;

pub use error::FolderError;
pub use file::{FindingFile, FindingPart, SentFile};
pub use kept::{remove_unfinished, unfinished};
pub use paths::FindingPaths;

use crate::answer_vector::SavedVector;
use crate::record::Finding;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The maximum size of a finding's file, in bytes.
pub const MAX_BYTES: u64 = 256 << 20;
/// The maximum length of a finding's name, in bytes.
const MAX_NAME: usize = 200;
/// The folder of findings in a campaign's folder.
pub const FINDINGS: &str = "findings";

/// Whether a text can be a finding's name, which names folders and files: no path, not hidden, only plain characters.
pub fn is_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-@+".contains(&b);
    !text.is_empty() && text.len() <= MAX_NAME && !text.starts_with('.') && text.bytes().all(plain)
}

/// Lists the folders of the findings at a path: a finding, a campaign, or its `findings`. Sorted by name.
/// Errors: there is none.
pub fn find(path: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let none = || FolderError::NoFinding(path.display().to_string());
    if !path.exists() {
        return Err(FolderError::NoFolder(path.display().to_string()));
    }
    if FindingFolder::at(path).place(FindingFile::Record).is_file() {
        return Ok(vec![path.to_path_buf()]);
    }
    let named = path.join(FINDINGS);
    let below = if named.is_dir() && !named.is_symlink() { named } else { path.to_path_buf() };
    if !below.is_dir() {
        return Err(none());
    }
    let entries = fs::read_dir(&below).map_err(|error| FolderError::read(&below, error))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    // A link leads out of the folder, and files written next to a finding would go there.
    found.retain(|path| !path.is_symlink() && FindingFolder::at(path).place(FindingFile::Record).is_file());
    found.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    found.sort();
    if found.is_empty() { Err(none()) } else { Ok(found) }
}

/// The folder of a finding, which need not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingFolder(PathBuf);

impl FindingFolder {
    /// Returns the folder at a path.
    pub fn at(path: impl Into<PathBuf>) -> FindingFolder {
        FindingFolder(path.into())
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the path of one of its files, which need not exist.
    pub fn place(&self, file: FindingFile) -> PathBuf {
        self.0.join(file.name())
    }

    /// Whether a file of the finding exists.
    pub fn has(&self, file: FindingFile) -> bool {
        self.place(file).exists()
    }

    /// Reads the text of a file; `None` if it is missing.
    /// Errors: [`FolderError::File`].
    pub fn text_if_there(&self, file: FindingFile) -> Result<Option<String>, FolderError> {
        match self.text(file) {
            Err(error) if error.is_missing() => Ok(None),
            read => read.map(Some),
        }
    }

    /// Returns the text of a file.
    /// Errors: [`FolderError::File`].
    pub fn text(&self, file: FindingFile) -> Result<String, FolderError> {
        let path = self.place(file);
        let bytes = files::read::regular(&path, MAX_BYTES).map_err(|error| FolderError::read(&path, error.into()))?;
        let no_text = |_| FolderError::read(&path, io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"));
        String::from_utf8(bytes).map_err(no_text)
    }

    /// Returns the record.
    /// Errors: it is missing, damaged, or from a later version.
    pub fn record(&self) -> Result<Finding, FolderError> {
        let finding: Finding = self.part(&self.text(FindingFile::Record)?)?;
        match is_name(&finding.id) {
            true => Ok(finding),
            false => {
                let why = format!("its name {:?} is none: letters, digits and ._-@+ alone", finding.id);
                Err(self.damaged::<Finding>(why))
            }
        }
    }

    /// Reads one of its JSON files; `None` if it is missing.
    /// Errors: it cannot be read, is damaged, or from a later version.
    pub fn read<P: FindingPart>(&self) -> Result<Option<P>, FolderError> {
        self.text_if_there(P::FILE)?.map(|text| self.part(&text)).transpose()
    }

    /// Reads which configurations err on the reduced script; `None` if none was asked, or about another text.
    pub fn vector(&self) -> Option<SavedVector> {
        let saved = self.read::<SavedVector>().ok()??;
        let script = files::found(self.place(FindingFile::Reduced)).ok()?;
        (saved.script == files::sha256(script)).then_some(saved)
    }

    fn part<P: FindingPart>(&self, text: &str) -> Result<P, FolderError> {
        // From the text, so that an error has its line and column.
        let damaged = |error: serde_json::Error| self.damaged::<P>(error.to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(damaged)?;
        match (value.get("format").and_then(serde_json::Value::as_u64), P::FORMAT) {
            (Some(found), Some(known)) if found > u64::from(known) => {
                let path = self.place(P::FILE).display().to_string();
                Err(FolderError::Newer { path, found, known })
            }
            _ => serde_json::from_str(text).map_err(damaged),
        }
    }

    /// Returns the error for a damaged file of this folder.
    pub fn damaged<P: FindingPart>(&self, cause: String) -> FolderError {
        FolderError::Damaged { path: self.place(P::FILE).display().to_string(), cause, hint: P::HINT }
    }

    /// Writes one of its JSON files, whole or not at all.
    /// Errors: [`FolderError::Write`].
    pub fn write<P: FindingPart>(&self, part: &P) -> Result<(), FolderError> {
        let text = P::FILE.json(part).map_err(|error| FolderError::write(&self.place(P::FILE), error))?;
        self.put(P::FILE, &text)
    }

    /// Writes a file, whole or not at all.
    /// Errors: [`FolderError::Write`].
    pub fn put(&self, file: FindingFile, text: &str) -> Result<(), FolderError> {
        let path = self.place(file);
        files::inside::put(&path, text.as_bytes()).map_err(|error| FolderError::write(&path, error))
    }
}
