//! The folder in which a solver is compiled, which outlives a build that failed or was killed so that the next one goes on there.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::build::error::SourceBuildError;
use crate::recipe::SourceEdit;

/// What the folder was made for: another recipe begins anew.
const STAMP: &str = "stamp";
/// There where the faster way to compile failed.
const SLOW: &str = "slow";

/// The folder of one solver's build, for as long as this process holds its lock.
///
/// Invariant: `source` is there whole, with all edits, or not at all.
#[derive(Debug)]
pub(crate) struct BuildFolder {
    label: String,
    folder: PathBuf,
    log: PathBuf,
    lock: File,
}

impl Drop for BuildFolder {
    /// Unlocks explicitly: closing the file is not enough, since a process just being started by another thread holds it, too, until its
    /// `exec`.
    fn drop(&mut self) {
        let _ = self.lock.unlock();
    }
}

impl BuildFolder {
    /// Opens the folder `label` in `builds`, creating it if needed, and its log `label.log` next to it.
    /// Errors: another process works there, or an I/O error occurs.
    pub(crate) fn open(builds: &Path, label: &str) -> Result<BuildFolder, SourceBuildError> {
        let folder = builds.join(label);
        fs::create_dir_all(&folder).map_err(SourceBuildError::file("create", &folder))?;
        let lock_path = builds.join(format!("{label}.lock"));
        let lock = File::create(&lock_path).map_err(SourceBuildError::file("create", &lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SourceBuildError::Busy { label: label.to_string() }),
            Err(TryLockError::Error(error)) => return Err(SourceBuildError::file("lock", &lock_path)(error)),
        }
        let log = builds.join(format!("{label}.log"));
        fs::write(&log, "").map_err(SourceBuildError::file("write", &log))?;
        Ok(BuildFolder { label: label.to_string(), folder, log, lock })
    }

    /// Returns the solver's name and version.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// Returns the folder of the sources.
    pub(crate) fn source(&self) -> PathBuf {
        self.folder.join("source")
    }

    /// Returns the folder of the build results.
    pub(crate) fn build(&self) -> PathBuf {
        self.folder.join("build")
    }

    /// Returns the folder of fetched tools.
    pub(crate) fn tools(&self) -> PathBuf {
        self.folder.join("tools")
    }

    /// Returns a folder for trials.
    pub(crate) fn scratch(&self) -> Result<PathBuf, SourceBuildError> {
        let scratch = self.folder.join("scratch");
        fs::create_dir_all(&scratch).map_err(SourceBuildError::file("create", &scratch))?;
        Ok(scratch)
    }

    /// Returns the log of the commands.
    pub(crate) fn log(&self) -> &Path {
        &self.log
    }

    /// Empties the folder, except for tools, unless it was made for the same `stamp`, which contains everything that affects the result.
    pub(crate) fn begin(&self, stamp: &str) -> Result<(), SourceBuildError> {
        let path = self.folder.join(STAMP);
        if !files::found(&path).is_ok_and(|old| old == stamp.as_bytes()) {
            for part in [&path, &self.folder.join(SLOW), &self.build(), &self.source()] {
                remove(part)?;
            }
        }
        fs::create_dir_all(self.build()).map_err(SourceBuildError::file("create", &self.build()))?;
        files::atomic::write(&path, stamp.as_bytes()).map_err(SourceBuildError::file("write", &path))
    }

    /// Whether the faster way to compile failed here.
    pub(crate) fn is_slow(&self) -> bool {
        self.folder.join(SLOW).exists()
    }

    /// Empties the build folder for the plain way to compile, after the faster one failed.
    pub(crate) fn begin_slow(&self) -> Result<(), SourceBuildError> {
        let (mark, build) = (self.folder.join(SLOW), self.build());
        remove(&build)?;
        fs::create_dir_all(&build).map_err(SourceBuildError::file("create", &build))?;
        fs::write(&mark, "").map_err(SourceBuildError::file("write", &mark))
    }

    /// Whether there are no sources yet.
    pub(crate) fn lacks_source(&self) -> bool {
        !self.source().exists()
    }

    /// Copies sources from a folder and edits the copy.
    pub(crate) fn take_source(&self, from: &Path, edits: &[SourceEdit], name: &str) -> Result<(), SourceBuildError> {
        let partial = self.folder.join("source.partial");
        remove(&partial)?;
        copy(from, &partial).map_err(SourceBuildError::file("copy the sources to", &partial))?;
        for edit in edits {
            let path = partial.join(&edit.file);
            let text = files::found_text(&path).map_err(SourceBuildError::file("read", &path))?;
            let count = text.matches(&edit.from).count();
            if count != 1 {
                return Err(SourceBuildError::Edit { name: name.to_string(), file: edit.file.clone(), count });
            }
            fs::write(&path, text.replacen(&edit.from, &edit.to, 1)).map_err(SourceBuildError::file("write", &path))?;
        }
        let source = self.source();
        fs::rename(&partial, &source).map_err(SourceBuildError::file("create", &source))
    }

    /// Removes the folder; the log stays.
    pub(crate) fn clear(self) {
        // If something cannot be removed now, the next build of the same solver removes it.
        let _ = fs::remove_dir_all(&self.folder);
    }

    /// Removes everything that the program no longer needs: with counters of executed lines, sources and build folder stay.
    pub(crate) fn keep_counted(self) {
        let _ = fs::remove_dir_all(self.tools());
        let _ = fs::remove_dir_all(self.folder.join("scratch"));
    }
}

/// Removes the folder and the log of a build that is not running.
pub(crate) fn remove_all(builds: &Path, label: &str) {
    let Ok(made) = BuildFolder::open(builds, label) else { return };
    let (log, lock) = (made.log.clone(), builds.join(format!("{label}.lock")));
    made.clear();
    let _ = fs::remove_file(log);
    let _ = fs::remove_file(lock);
}

fn remove(path: &Path) -> Result<(), SourceBuildError> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(SourceBuildError::file("remove", path)(error)),
        _ => Ok(()),
    }
}

/// Copies files and folders; links to files become files, and other entries are left out.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut folders = vec![(from.to_path_buf(), to.to_path_buf())];
    while let Some((from, to)) = folders.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let (path, place) = (entry.path(), to.join(entry.file_name()));
            match entry.file_type()? {
                kind if kind.is_dir() => folders.push((path, place)),
                _ if path.is_file() => {
                    fs::copy(&path, &place)?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "../../tests/unit/folder.rs"]
mod tests;
