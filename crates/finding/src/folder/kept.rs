//! Findings put into a folder and taken out of it, whole or not at all.
//!
//! Invariant: a folder of a finding is complete. It is written beside under another name, synced and renamed, so that killing the process at
//! any moment loses and halves nothing.

use super::FindingFolder;
use super::file::{FindingFile, SentFile};
use crate::record::Finding;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Folders that are being written or removed begin with it.
const PARTIAL: &str = ".partial-";

/// What a process that was killed left unfinished among the findings in a folder.
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
    /// Writes a finding into a folder of findings. One of that name that is there already is the same one, and stays.
    ///
    /// # Errors
    /// Whatever the system says; nothing of the finding is there then.
    pub fn create(findings: &Path, finding: &Finding, files: &[SentFile<'_>]) -> io::Result<FindingFolder> {
        FindingFolder::at(findings.join(&finding.id)).fill(|partial| {
            for (file, content) in files {
                write_synced(&partial.join(file.name()), content)?;
            }
            let record = FindingFile::Record;
            write_synced(&partial.join(record.name()), record.json(finding)?.as_bytes())
        })
    }

    /// Copies it into another folder of findings. One of that name that is there already stays.
    ///
    /// # Errors
    /// Whatever the system says.
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

    /// Makes this folder, unless it is there.
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

    /// Removes it. It vanishes at once, under another name. One that is being reduced, or was, stays: its reduced script is worth more
    /// than the room.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn remove_unreduced(&self) -> io::Result<()> {
        if self.has(FindingFile::Account) || self.has(FindingFile::Match) {
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
