//! Adds findings to a folder and removes them, whole or not at all.
//!
//! Invariant: the folder of a finding is complete. It is written under another name, synced and renamed, so that killing the process at any
//! moment leaves nothing partial.

use super::FindingFolder;
use super::file::{FindingFile, SentFile};
use crate::record::Finding;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The prefix of folders that are being written or removed.
const PARTIAL: &str = ".partial-";

/// Lists the partial findings that a killed process left in a folder.
pub fn unfinished(findings: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(findings).into_iter().flatten().flatten();
    let partial = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PARTIAL));
    partial.map(|entry| entry.path()).collect()
}

/// Removes what is [`unfinished`].
pub fn remove_unfinished(findings: &Path) {
    for path in unfinished(findings) {
        let _ = fs::remove_dir_all(path);
    }
}

impl FindingFolder {
    /// Writes a finding into a folder of findings. An existing one of that name is the same finding, and stays.
    /// Errors: any I/O error; nothing of the finding is written then.
    pub fn create(findings: &Path, finding: &Finding, files: &[SentFile<'_>]) -> io::Result<FindingFolder> {
        FindingFolder::at(findings.join(&finding.id)).fill(|partial| {
            for (file, content) in files {
                write_synced(&partial.join(file.name()), content)?;
            }
            let record = FindingFile::Record;
            write_synced(&partial.join(record.name()), record.json(finding)?.as_bytes())
        })
    }

    /// Copies it into another folder of findings. An existing one of that name stays.
    /// Errors: a file cannot be copied.
    pub fn copy(&self, findings: &Path, id: &str) -> io::Result<FindingFolder> {
        FindingFolder::at(findings.join(id)).fill(|partial| {
            for entry in fs::read_dir(self.path())? {
                let entry = entry?;
                if entry.file_type()?.is_file() {
                    write_synced(&partial.join(entry.file_name()), &fs::read(entry.path())?)?;
                }
            }
            Ok(())
        })
    }

    /// Creates this folder unless it exists.
    fn fill(self, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<FindingFolder> {
        if self.path().exists() {
            return Ok(self);
        }
        let partial = self.partial();
        // A failed attempt may have left something.
        let _ = fs::remove_dir_all(&partial);
        let written = fs::create_dir(&partial)
            .and_then(|()| write(&partial))
            .and_then(|()| sync_folder(&partial))
            .and_then(|()| fs::rename(&partial, self.path()));
        if let Err(error) = written {
            let _ = fs::remove_dir_all(&partial);
            return Err(error);
        }
        self.path().parent().map_or(Ok(()), sync_folder)?;
        Ok(self)
    }

    /// Whether it is being or was reduced, or has a known cause: that is worth more than the space.
    pub fn is_worked_on(&self) -> bool {
        self.has(FindingFile::Account) || self.has(FindingFile::Match)
    }

    /// Removes it, renaming it first, so that it disappears at once, unless it [is worked on](Self::is_worked_on).
    /// Errors: a file cannot be removed.
    pub fn remove_unreduced(&self) -> io::Result<()> {
        if self.is_worked_on() {
            return Ok(());
        }
        let partial = self.partial();
        fs::rename(self.path(), &partial)?;
        fs::remove_dir_all(&partial)
    }

    fn partial(&self) -> PathBuf {
        let name = self.path().file_name().unwrap_or_default().to_string_lossy();
        self.path().with_file_name(format!("{PARTIAL}{name}"))
    }
}

fn write_synced(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}

fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
